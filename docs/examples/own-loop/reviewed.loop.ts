import { defineLoop } from 'loopfold/testing';
import { ReviewedEvent } from './reviewed.events.ts';
import { reviewed } from './reviewed.machine.ts';

/** The loop: its chart, its words, and what its own effect is: which events answer it, and what a crash makes of it. */
export const loop = defineLoop({
  machine: reviewed,
  events: ReviewedEvent,
  effects: {
    askReviewer: {
      class: 'once',
      answers: { 'review.given': 'review', 'review.interrupted': 'review' },
      interrupted: (_, { reason }) => ({ type: 'review.interrupted', payload: { reason } }),
    },
  },
});
