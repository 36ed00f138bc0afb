extension PageSource {
  /// The document: places with their headings, which the script fills.
  static let document = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Leash</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="page.css">
    <script src="page.js" defer></script>
    </head>
    <body data-link="waiting">
    <header>
      <h1>Leash <span id="tracker"></span></h1>
      <p id="link">Asking the tracker…</p>
    </header>
    <noscript><p class="banner">This page needs JavaScript; <code>leash status</code> says the same in a terminal.</p></noscript>
    <p id="lost" class="banner" role="alert" hidden></p>
    <main>
      <section id="phase-card" aria-labelledby="phase-title">
        <div class="phase-words">
          <h2 id="phase-title">Phase</h2>
          <p id="phase" aria-live="polite">–</p>
          <p id="phase-meaning"></p>
        </div>
        <div class="phase-facts">
          <ul class="chips"><li id="armed">–</li><li id="alerts">–</li><li id="last-alert">–</li></ul>
          <p class="evidence-words">Evidence of movement <b id="evidence-now">–</b></p>
          <div class="gauge" aria-hidden="true"><i id="evidence-bar"></i><s></s></div>
          <p class="gauge-scale" aria-hidden="true"><span>0</span><span>threshold 1</span><span>2 or more</span></p>
          <p id="tilt" hidden></p>
        </div>
      </section>
      <div class="column wide">
        <section class="card" id="map-card">
          <h2>Track</h2>
          <div class="switch" role="group" aria-label="Part shown">
            <button type="button" id="mode-whole" aria-pressed="true">Whole track</button>
            <button type="button" id="mode-follow" aria-pressed="false">Follow</button>
          </div>
          <div class="map-frame">
            <canvas id="map" role="img" tabindex="0" aria-label="Map of the track"></canvas>
            <div class="map-buttons">
              <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
              <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
            </div>
          </div>
          <ul id="legend" class="legend"></ul>
          <p class="hint">North is up. Drag to move; once clicked, the wheel, + − and the arrow keys work too.</p>
        </section>
        <section class="card" id="curves-card">
          <h2>Movement</h2>
          <div class="switch" role="group" aria-label="Time shown">
            <button type="button" id="span-short" aria-pressed="true">2 min</button>
            <button type="button" id="span-long" aria-pressed="false">10 min</button>
          </div>
          <p id="no-curves" class="empty" hidden>No inertial sensor has measured anything yet.</p>
          <div id="curves">
            <figure><figcaption>Evidence of movement <span>measured / threshold</span></figcaption>
              <canvas id="curve-evidence" role="img"></canvas></figure>
            <figure><figcaption>Angular rate, largest <span>rad/s</span></figcaption>
              <canvas id="curve-rate" role="img"></canvas></figure>
            <figure><figcaption>Specific force, largest deviation from gravity <span>m/s²</span></figcaption>
              <canvas id="curve-force" role="img"></canvas></figure>
          </div>
        </section>
        <section class="card" id="dialogue-card">
          <h2>Modem dialogue</h2>
          <p id="no-dialogue" class="empty">Nothing was said to a modem yet.</p>
          <div id="dialogue" role="log" tabindex="0" aria-label="Modem dialogue" aria-live="off" hidden></div>
        </section>
        <section class="card" id="machine-card">
          <h2>Machine</h2>
          <div id="machine"></div>
        </section>
      </div>
      <div class="column narrow">
        <section class="card" id="position-card">
          <h2>Position</h2>
          <p id="position-age" class="tag"></p>
          <p id="position" class="big">–</p>
          <dl id="position-facts"></dl>
        </section>
        <section class="card" id="outbox-card">
          <h2>Outbox</h2>
          <p id="outbox-count" class="tag"></p>
          <p id="no-outbox" class="empty">Nothing waits to be sent.</p>
          <table id="outbox" hidden>
            <thead><tr><th scope="col">No.</th><th scope="col">Packet</th><th scope="col">Sent</th><th scope="col">Age</th></tr></thead>
            <tbody id="outbox-rows"></tbody>
          </table>
          <p id="outbox-totals" class="hint"></p>
        </section>
        <section class="card" id="sensors-card">
          <h2>Sensors</h2>
          <p id="no-sensors" class="empty" hidden>No sensor is configured.</p>
          <ul id="sensors" class="devices"></ul>
        </section>
        <section class="card" id="uplinks-card">
          <h2>Uplinks</h2>
          <p id="no-uplinks" class="empty" hidden>No uplink is configured: packets stay in the outbox.</p>
          <ul id="uplinks" class="devices"></ul>
        </section>
        <section class="card" id="happenings-card">
          <h2>What happened</h2>
          <p id="no-happenings" class="empty">Nothing yet.</p>
          <ol id="happenings" tabindex="0" aria-label="What happened, the newest first" hidden></ol>
        </section>
      </div>
    </main>
    <footer id="footer"></footer>
    </body>
    </html>

    """#

  /// The icon: a ring and a line.
  static let icon = #"""
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d7a46"/>
    <circle cx="12" cy="12" r="5.5" fill="none" stroke="#fff" stroke-width="3"/>
    <path d="M16 16c3 3 2 8 9 9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>

    """#
}
