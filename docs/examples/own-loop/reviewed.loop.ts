import { defineLoop } from 'loopfold/testing';
import { ReviewedEvent } from './reviewed.events.ts';
import { reviewed } from './reviewed.machine.ts';

/** The loop: its chart, its words, and which effect the words of its own answer. */
export const loop = defineLoop({
  machine: reviewed,
  events: ReviewedEvent,
  settles: { 'review.given': 'review', 'review.interrupted': 'review' },
});
