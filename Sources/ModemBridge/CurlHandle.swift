import CCurl
import ModemSimulation
import Synchronization

/// How libcurl's handles look from here.
typealias OpaqueHandle = UnsafeMutableRawPointer

/// Tells a thread inside libcurl to come back.
final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// What all uses of libcurl here have in common.
enum CurlHandle {
  /// libcurl wants to be set up once, before any thread uses it.
  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  /// Sets a handle up as a modem would connect: HTTP 1.1, no proxy, no waiting longer than a module does.
  ///
  /// - Parameter stop: Breaks off what the handle does; must outlive it.
  static func prepare(_ handle: OpaqueHandle, url: String, verifiesCertificates: Bool, stop: StopFlag) {
    curl_easy_reset(handle)
    curl_shim_set_text(handle, CURLOPT_URL, url)
    curl_shim_set_text(handle, CURLOPT_PROXY, "")
    curl_shim_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_shim_set_long(handle, CURLOPT_NOSIGNAL, 1)
    curl_shim_set_long(handle, CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1
    curl_shim_set_long(handle, CURLOPT_CONNECTTIMEOUT, 30)
    curl_shim_set_long(handle, CURLOPT_SSL_VERIFYPEER, verifiesCertificates ? 1 : 0)
    curl_shim_set_long(handle, CURLOPT_SSL_VERIFYHOST, verifiesCertificates ? 2 : 0)
    curl_shim_on_progress(
      handle,
      { context, _, _, _, _ in
        guard let context else { return 0 }
        return Unmanaged<StopFlag>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
      }, Unmanaged.passUnretained(stop).toOpaque())
  }

  /// The failure of the network that libcurl's code stands for.
  static func failure(_ code: CURLcode, _ handle: OpaqueHandle) -> NetworkFailure {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT: .noSuchHost
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_COULDNT_CONNECT: networkFailure(Int32(clamping: curl_shim_system_error(handle)))
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE:
      .tls
    default: .unreachable
    }
  }
}
