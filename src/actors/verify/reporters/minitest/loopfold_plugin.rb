# Loaded by minitest among its plugins, which it looks for in the path of Ruby. It adds one more reporter.
require 'loopfold_record'

module Minitest
  # The one place that knows which tests have run, whatever starts them.
  class LoopfoldReporter < AbstractReporter
    def initialize(record)
      super()
      @record = record
    end

    def prerecord(group, name)
      @record.start(place(group.instance_method(name).source_location), path(group.name, name))
    rescue NameError
      @record.start(nil, path(group.name, name))
    end

    def record(result)
      group = result.respond_to?(:klass) ? result.klass : result.class.name
      @record.add(file_of(result), path(group, result.name), how(result), message(result))
    end

    def report
      @record.end
    end

    private

    def file_of(result)
      place(result.respond_to?(:source_location) ? result.source_location : result.method(result.name).source_location)
    end

    # Ruby says `unknown` of a method that is gone.
    def place(location)
      file = location&.first
      file == 'unknown' ? nil : file
    end

    # A spec has a number in its name, which others before it move.
    def path(group, name)
      group.to_s.split('::') + [name.to_s.sub(/\Atest_\d{4}_/, '')]
    end

    def how(result)
      return 'skipped' if result.skipped?

      result.passed? ? 'passed' : 'failed'
    end

    def message(result)
      failure = result.failure
      return '' if failure.nil?

      error = failure.respond_to?(:error) ? failure.error : failure
      Loopfold::Record.said(error, error.is_a?(Assertion))
    end
  end

  def self.plugin_loopfold_init(_options)
    record = Loopfold::Record.begin('minitest')
    reporter << LoopfoldReporter.new(record) if record
  end
end
