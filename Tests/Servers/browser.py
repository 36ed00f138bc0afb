"""A real browser that looks at a page of Home Assistant, and a picture of what it shows."""
import asyncio
import base64
import json
import os
import tempfile

import processes
from processes import Failed, Process


class Page:
    """One page of a headless Chromium, by its own debugging protocol."""

    def __init__(self, socket):
        self.socket, self.number = socket, 0

    async def ask(self, method, **parameters):
        self.number += 1
        await self.socket.send_json({"id": self.number, "method": method, "params": parameters})
        while True:
            answer = await asyncio.wait_for(self.socket.receive_json(), 60)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed(f"the browser: {method}: {answer['error']}")
                return answer["result"]

    async def run(self, script):
        result = await self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")


# The text of a page, the insides of its elements included.
TEXT = """(() => { let out = []; const walk = node => { if (node.nodeType === 3) out.push(node.textContent);
  if (['STYLE', 'SCRIPT'].includes(node.nodeName)) return; if (node.shadowRoot) walk(node.shadowRoot);
  node.childNodes.forEach(walk); }; walk(document.body); return out.join(' ').replace(/\\s+/g, ' '); })()"""


async def shoot(house, path, picture, wanted, size=(1280, 1500), entity=None):
    """Opens a page as its user, waits until it says what is wanted, opens an entity if one is named, and takes a picture."""
    import aiohttp
    port = processes.free_port()
    with tempfile.TemporaryDirectory() as profile:
        browser = Process(house.work, "chromium", [
            processes.program("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={profile}", f"--remote-debugging-port={port}", f"--window-size={size[0]},{size[1]}", "about:blank"])
        try:
            await asyncio.to_thread(processes.wait_for, port, browser, 30)
            async with aiohttp.ClientSession() as session:
                async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    target = [one for one in json.loads(await answer.text()) if one["type"] == "page"][0]
                async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    page = Page(socket)
                    await page.ask("Page.enable")
                    await page.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
                    tokens = dict(house.tokens, hassUrl=house.url, clientId=house.url + "/",
                                  expires=int(house.tokens["expires_at"] * 1000))
                    await page.ask("Page.addScriptToEvaluateOnNewDocument", source=(
                        f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(tokens))});"
                        "localStorage.setItem('dockedSidebar', '\"always_hidden\"');"))
                    await page.ask("Page.navigate", url=house.url + path)
                    text = ""
                    for _ in range(150):
                        text = await page.run(TEXT) or ""
                        if all(word in text for word in wanted):
                            break
                        await asyncio.sleep(0.2)
                    else:
                        raise Failed(f"the page {path} does not say {wanted}: {text[:1500]}")
                    if entity:
                        await page.run("document.querySelector('home-assistant').dispatchEvent(new CustomEvent('hass-more-info', "
                                       f"{{detail: {{entityId: '{entity}'}}, bubbles: true, composed: true}}))")
                    await asyncio.sleep(1.5 if not entity else 4)
                    result = await page.ask("Page.captureScreenshot", format="png")
                    with open(picture, "wb") as file:
                        file.write(base64.b64decode(result["data"]))
                    return text
        finally:
            browser.end()
