"""Headless Chromium with one page, by the DevTools protocol over pipes: no port, no network.

Source: https://chromedevtools.github.io/devtools-protocol/
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

# Longest wait for an answer, s.
PATIENCE = 120


class Browser:
    """Opens a page; None of it outlives the `with`."""

    @staticmethod
    def is_there():
        return shutil.which("chromium") is not None

    def __init__(self, page, width=1280, height=1000):
        # A file, or a link to this machine.
        self.page = str(page) if str(page).startswith("http://") else pathlib.Path(page).resolve().as_uri()
        self.size = (width, height)
        self.count, self.waiting, self.session = 0, b"", None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        # Chromium reads from 3 and writes to 4. Whatever it asks of a network ends at a port where nobody is.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{orders} 4>&{answers}', "-", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", "--proxy-server=127.0.0.1:9", f"--user-data-dir={self.folder.name}", "--hide-scrollbars",
             "--no-first-run", "--window-size={},{}".format(*self.size), "about:blank"],
            pass_fds=(orders, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(orders)
        os.close(answers)
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return self

    def __exit__(self, *_):
        os.close(self.orders)
        os.close(self.answers)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def ask(self, method, **parameters):
        """Gives an order and returns its result; what is told unasked is passed over."""
        self.count += 1
        order = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            order["sessionId"] = self.session
        data = json.dumps(order).encode() + b"\0"
        while data:
            data = data[os.write(self.orders, data):]
        end = time.monotonic() + PATIENCE
        while True:
            while b"\0" not in self.waiting:
                if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                    raise TimeoutError(f"{method}: no answer within {PATIENCE} s")
                piece = os.read(self.answers, 1 << 16)
                if not piece:
                    raise ConnectionError(f"{method}: the browser has ended")
                self.waiting += piece
            line, self.waiting = self.waiting.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def evaluate(self, expression):
        """The value of an expression, of a promise when it is kept."""
        result = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def show(self, width, height, dark=False, part=""):
        """Loads the page anew in a window of a size."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=self.page + part)
        self.until("document.readyState === 'complete' && location.protocol !== 'about:'")

    def until(self, condition):
        """Waits until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {PATIENCE} s: {condition}")
            time.sleep(0.02)

    def drop(self, x, y, *files):
        """Drops files of this machine, as from its desktop."""
        data = {"items": [], "files": [str(pathlib.Path(file).resolve()) for file in files], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.ask("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def picture(self, path):
        """What the window shows, as PNG."""
        pathlib.Path(path).write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
