# Loaded by RSpec, which `SPEC_OPTS` tells to. It listens to the reporter that tells the formatters of all examples.
require 'loopfold_record'

module Loopfold
  # Hears of each example, and of what failed outside of all.
  class RSpecListener
    def initialize(record)
      @record = record
    end

    def example_started(notification)
      @record.start(*place(notification.example))
    end

    def example_passed(notification)
      @record.add(*place(notification.example), 'passed', '')
    end

    def example_pending(notification)
      @record.add(*place(notification.example), 'skipped', '')
    end

    def example_failed(notification)
      error = notification.example.exception
      @record.add(*place(notification.example), 'failed', error ? said(error) : '')
    end

    def failed_outside(error, context)
      @record.add(context.to_s[/ while loading (.+?)\.?\z/, 1], [], 'failed', said(error))
    end

    def stop(_notification)
      @record.end
    end

    private

    # An example is of the file that RSpec was given, also where its text lies in a shared one.
    def place(example)
      groups = example.example_group.parent_groups.reverse.map(&:description)
      [example.metadata[:rerun_file_path] || example.metadata[:file_path], groups + [example.description]]
    end

    # Expectations raise an error of their own, or of the assertions that they are told to use.
    def said(error)
      Record.said(error, error.class.name.to_s.match?(/ExpectationNotMetError|MultipleExpectationsNotMet|Assert/))
    end
  end

  # Adds the listener to the first reporter that RSpec makes.
  module RSpecReporter
    NOTES = %i[example_started example_passed example_pending example_failed stop].freeze

    def initialize(*)
      super
      record = Record.begin('rspec')
      return unless record

      @loopfold = RSpecListener.new(record)
      register_listener(@loopfold, *NOTES)
    end

    def notify_non_example_exception(error, context)
      @loopfold&.failed_outside(error, context)
      super
    end
  end
end

RSpec::Core::Reporter.prepend(Loopfold::RSpecReporter)
