import InlineStorage
public import Requests

/// Which way a request came.
@frozen public struct RequestOrigin: Equatable, BitwiseCopyable, Sendable {
  /// Ways that can be told apart: the console, text messages, eight to receivers, the local page, and the configuration.
  static var channelCount: Int { 12 }

  /// 0: the console; 1: text messages; from 2: the ways to receivers; 10: the local page; 11: the configuration.
  public var channel: UInt8
  /// True for what a server said because it was sent a packet; most of that is no request.
  public var isAnswer = false
  /// True when that packet was itself the answer to a request.
  package var isAnswerToAnswer = false
  /// True for a text message whose sender is on the owner's list.
  public var isListedSender = false

  init(channel: UInt8) { self.channel = channel }

  /// The control socket, a line on a bench: nobody but the owner can speak there.
  public static var console: RequestOrigin { RequestOrigin(channel: 0) }
  /// A text message.
  public static func textMessage(isListedSender: Bool = false) -> RequestOrigin {
    var origin = RequestOrigin(channel: 1)
    origin.isListedSender = isListedSender
    return origin
  }
  /// The local page, which whoever reaches its address can speak to: it is heard when it signs, and never else.
  public static var page: RequestOrigin { RequestOrigin(channel: 10) }
  /// The configuration, whose rules are told at a start: it is the owner's as the console is.
  package static var configuration: RequestOrigin { RequestOrigin(channel: 11) }
  /// True where nobody but the owner can speak.
  var isOwners: Bool { self == .console || self == .configuration }
  /// A message that was sent by itself on a way to a receiver.
  public static func way(_ way: Int) -> RequestOrigin {
    RequestOrigin(channel: UInt8(truncatingIfNeeded: min(max(0, way), 7) + 2))
  }
  /// What a server answered to a packet on a way.
  public static func answer(_ way: Int, toAnswer isAnswerToAnswer: Bool = false) -> RequestOrigin {
    var origin = RequestOrigin.way(way)
    origin.isAnswer = true
    origin.isAnswerToAnswer = isAnswerToAnswer
    return origin
  }
}

/// Kinds of requests.
@frozen public struct RequestKindSet: OptionSet, BitwiseCopyable, Sendable {
  /// Bit n stands for the kind with the number n; there is room for twice as many kinds as there are.
  public var rawValue: UInt64

  /// A set of its bits.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// One kind.
  @inlinable public init(_ kind: RequestKind) { rawValue = 1 << UInt64(kind.rawValue) }
  /// Every kind.
  public static var all: RequestKindSet { RequestKindSet(rawValue: .max) }

  /// True when a kind is among them.
  @inlinable public func contains(_ kind: RequestKind) -> Bool { contains(RequestKindSet(kind)) }
}

/// What decides who may ask what: secrets, and whom the owner trusts. No part of the tracker's state, so that it is in no log.
@frozen public struct RequestDoor: BitwiseCopyable, Sendable {
  /// The owner's key as the owner of the device has written it down; nil when it is to be had by `claim`.
  public var key: RequestKey?
  /// What a signature by the key may ask for; a key for everything is the owner's.
  public var reach = RequestKindSet.all
  /// What stands on the device for its first owner; nil when it can't be claimed.
  public var claimSecret: RequestKey?
  /// What may stand before a text message in place of a listed sender; of fewer than four digits it is none.
  public var pin = InlineBytes<8>()
  private var trust = InlineArray<11, RequestKindSet>(repeating: RequestKindSet())

  /// Nobody is trusted but the console.
  public init() {}

  /// The key that must have signed a request; nil when there is none.
  ///
  /// - Parameters:
  ///   - claim: The counter of the claim that made the owner the owner; 0 when nobody has claimed the tracker.
  ///   - trackerID: The tracker's name.
  func key(of request: RequestKind, claim: UInt64, for trackerID: Span<UInt8>) -> RequestKey? {
    if request == .claim { return claimSecret }
    if let key { return key }
    return claim > 0 ? claimSecret?.ownersKey(claim: claim, for: trackerID) : nil
  }

  /// What may be asked unsigned on the channel of an origin.
  public subscript(origin: RequestOrigin) -> RequestKindSet {
    get { Int(origin.channel) < trust.count ? trust[Int(origin.channel)] : RequestKindSet() }
    set { if Int(origin.channel) < trust.count { trust[Int(origin.channel)] = newValue } }
  }
}

/// Why a request was refused.
@frozen public enum RequestRefusal: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The text is longer than a request can be.
  case tooLong
  /// The text is not a request.
  case unreadable
  /// The request is signed, but the tracker has no key.
  case noKey
  /// The signature is wrong: another key, another tracker, or a changed text.
  case forged
  /// The request is unsigned and not on the channel's list, or its key does not allow it.
  case notAllowed
  /// The text came as an answer to a packet that itself answered a request.
  case answerToAnswer
  /// The counter of the signature is not higher than the last one.
  case replayed
  /// The request was signed more than an hour ago.
  case stale
  /// The request was signed more than a day ahead of the tracker's time.
  case early
  /// The request came too soon after others on its channel.
  case flooded
  /// A claim, but the tracker has an owner.
  case owned
  /// The owner's key is in the configuration, and only there it can be removed.
  case keyInFile
  /// A command in the words of another format, for which there is no request.
  case unsupported

  /// Its word in logs and events.
  public var word: StaticString {
    switch self {
    case .tooLong: return "tooLong"
    case .unreadable: return "unreadable"
    case .noKey: return "noKey"
    case .forged: return "forged"
    case .notAllowed: return "notAllowed"
    case .answerToAnswer: return "answerToAnswer"
    case .replayed: return "replayed"
    case .stale: return "stale"
    case .early: return "early"
    case .flooded: return "flooded"
    case .owned: return "owned"
    case .keyInFile: return "keyInFile"
    case .unsupported: return "unsupported"
    }
  }

  #if !hasFeature(Embedded)
    /// What it says, for people; firmware leaves it out.
    package var words: StaticString {
      switch self {
      case .tooLong: return "too long"
      case .unreadable: return "not a request"
      case .noKey: return "signed, and there is no key"
      case .forged: return "wrong token or key"
      case .notAllowed: return "not allowed there"
      case .answerToAnswer: return "an answer to an answer"
      case .replayed: return "not newer than the last one"
      case .stale: return "too old"
      case .early: return "signed ahead of time"
      case .flooded: return "too many at once"
      case .owned: return "the tracker has an owner"
      case .keyInFile: return "the owner's key is in the configuration file"
      case .unsupported: return "a command that it can't do"
      }
    }
  #endif

  /// The number of reasons.
  static var count: Int { 13 }
}
