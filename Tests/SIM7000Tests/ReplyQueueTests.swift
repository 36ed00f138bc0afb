import InlineStorage
import Testing

@testable import SIM7000

@Suite struct ReplyQueueTests {
  private func bytes(_ count: Int, _ value: UInt8) -> [UInt8] { Array(repeating: value, count: count) }

  private func append(_ queue: inout ReplyQueue, _ text: [UInt8], _ source: ReplySource = .http) -> Bool {
    queue.append(text.span, from: source)
  }

  private func pop(_ queue: inout ReplyQueue) -> [UInt8] {
    var sink = InlineBytes<1024>()
    queue.popFirst(into: &sink)
    return (0..<sink.count).map { sink[$0] }
  }

  @Test func eightRepliesWaitAndTheNinthIsRefusedAndCounted() {
    var queue = ReplyQueue()
    let sources: [ReplySource] = [.http, .mqtt, .tcp, .sms, .http, .mqtt, .tcp, .sms]
    for (place, source) in sources.enumerated() {
      #expect(append(&queue, bytes(place + 1, UInt8(place)), source))
    }
    #expect(!append(&queue, [9]))
    #expect(queue.refusedCount == 1)
    for (place, source) in sources.enumerated() {
      #expect(queue.first?.source == source && queue.first?.count == place + 1)
      #expect(pop(&queue) == bytes(place + 1, UInt8(place)))
    }
    #expect(queue.first == nil && pop(&queue).isEmpty)
  }

  @Test func theRoomOfAThousandAndTwentyFourBytesIsUsedWholeAndGivenBack() {
    var queue = ReplyQueue()
    #expect(append(&queue, bytes(1000, 1)))
    #expect(!append(&queue, bytes(25, 2)))
    #expect(append(&queue, bytes(24, 3)))
    #expect(!append(&queue, [4]))
    #expect(queue.refusedCount == 2)
    #expect(pop(&queue) == bytes(1000, 1))
    #expect(append(&queue, bytes(1000, 5)))
    #expect(pop(&queue) == bytes(24, 3) && pop(&queue) == bytes(1000, 5))
    #expect(append(&queue, bytes(1024, 6)) && pop(&queue) == bytes(1024, 6))
  }

  @Test func nothingIsNoReply() {
    var queue = ReplyQueue()
    #expect(!append(&queue, []))
    #expect(queue.first == nil && queue.refusedCount == 0)
  }
}
