#pragma once
#include <curl/curl.h>

// Swift does not see functions with a variable number of arguments: one for each kind of value.
static inline CURLcode curl_shim_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_shim_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_shim_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_shim_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*curl_shim_take)(char *bytes, size_t size, size_t count, void *context);
typedef int (*curl_shim_progress)(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d);

static inline CURLcode curl_shim_on_body(CURL *handle, curl_shim_take take, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}
static inline CURLcode curl_shim_on_header(CURL *handle, curl_shim_take take, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}
static inline CURLcode curl_shim_on_progress(CURL *handle, curl_shim_progress progress, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}
static inline long curl_shim_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
static inline long curl_shim_system_error(CURL *handle) {
  long number = 0;
  curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
  return number;
}
static inline int curl_shim_socket(CURL *handle) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
  return (int)socket;
}

// The multi interface, driven by the owner's event loop.
typedef int (*curl_shim_watch)(CURL *handle, curl_socket_t socket, int interest, void *context, void *of_socket);
typedef int (*curl_shim_set_timer)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode curl_shim_multi_on_socket(CURLM *multi, curl_shim_watch watch, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode curl_shim_multi_on_timer(CURLM *multi, curl_shim_set_timer set, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set);
  return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
// Takes one finished transfer out; 0 when there is none.
static inline int curl_shim_multi_next_result(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return 1;
    }
  }
  return 0;
}
static inline const char *curl_shim_redirect(CURL *handle) {
  char *url = NULL;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
  return url;
}
static inline curl_off_t curl_shim_retry_after(CURL *handle) {
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}
