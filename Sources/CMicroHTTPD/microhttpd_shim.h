#pragma once
#include <microhttpd.h>

// Swift does not see functions with a variable number of arguments.

/// A daemon without a thread of its own, on a socket that listens already; null when there is no memory.
static inline struct MHD_Daemon *microhttpd_shim_start(
    int listener, unsigned int connections, size_t connection_memory, unsigned int idle_seconds,
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected,
    void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
      connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connected, context, MHD_OPTION_END);
}

/// The descriptor that becomes readable when the daemon has something to do; or -1.
static inline int microhttpd_shim_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/// The socket of a connection; or -1.
static inline int microhttpd_shim_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
