# Writes what a test runner of Ruby reports, a line of JSON for each test, into a file of its own in a folder.
# What the tests start finds no folder there: only the outermost runner reports. No gem is loaded, since a bundle may
# ask for another version of it.
module Loopfold
  class Record
    # Of what one failed test says, and of what all say: those behind it keep a short piece, so that the report is whole.
    MAX_MESSAGE_CHARS = 8_000
    MAX_MESSAGES_CHARS = 2_000_000
    SHORT_MESSAGE_CHARS = 200
    MIDDLE = "\n[\u2026 the middle is left out \u2026]\n".freeze

    # Begins a report; nil where none is wanted.
    def self.begin(runner)
      folder = ENV.delete('LOOPFOLD_REPORTS').to_s
      folder.empty? ? nil : new(folder, runner)
    end

    def initialize(folder, runner)
      @process = Process.pid
      @file = File.open(File.join(folder, "#{@process}-#{rand(16**12).to_s(16)}.jsonl"), 'a')
      @tests = 0
      @room = MAX_MESSAGES_CHARS
      write("\"runner\":#{quote(runner)},\"directory\":#{quote(Dir.pwd)}")
    end

    # Notes that a test begins. The path has its groups, outermost first, then its own name.
    def start(file, path)
      write("\"begun\":{\"file\":#{file ? quote(file) : 'null'},\"path\":#{list(path)}}")
    end

    # Notes how a test went. An empty path is the file itself.
    def add(file, path, result, message)
      said = result == 'failed' ? ",\"message\":#{quote(excerpt(message))}" : ''
      write("\"file\":#{file ? quote(file) : 'null'},\"path\":#{list(path)},\"result\":#{quote(result)}#{said}")
      @tests += 1
    end

    def end
      write("\"tests\":#{@tests}")
    end

    # What an error says, after its kind, unless it is an assertion: that a test failed in none has to be seen.
    def self.said(error, assertion)
      assertion ? error.message.to_s : "#{error.class}: #{error.message}"
    end

    private

    # A process that the tests fork has the same file, and nothing to report.
    def write(fields)
      return unless Process.pid == @process

      @file.write("{#{fields}}\n")
      @file.flush
    end

    def excerpt(message)
      text = plain(message)
      most = @room.positive? ? MAX_MESSAGE_CHARS : SHORT_MESSAGE_CHARS
      half = (most - MIDDLE.length) / 2
      kept = text.length <= most ? text : text[0, half] + MIDDLE + text[-half, half]
      @room -= kept.length
      kept
    end

    def plain(text)
      text.to_s.encode('UTF-8', invalid: :replace, undef: :replace).scrub
    end

    def list(texts)
      "[#{texts.map { |text| quote(text) }.join(',')}]"
    end

    def quote(text)
      "\"#{plain(text).gsub(/[\u0000-\u001f"\\]/) { |character| format('\\u%04x', character.ord) }}\""
    end
  end
end
