extension PageSource {
  /// Phase, position and outbox.
  static let status = #"""
    const showPhase = (status) => {
      at("phase-card").dataset.phase = status.phase;
      put(at("phase"), status.phase);
      put(at("phase-meaning"), meanings[status.phase] || "");
      const chip = (id, text, isOn) => {
        put(at(id), text);
        at(id).className = isOn ? "on" : "";
      };
      chip("armed", status.isArmed ? "Armed" : "Not armed", status.isArmed);
      chip("alerts", status.alertsEnabled ? "Alerts on" : "Alerts off", status.alertsEnabled);
      chip("last-alert", status.lastAlert ? `Last alert: no. ${status.lastAlert}` : "No alert so far", false);
      const evidence = status.movementEvidence;
      put(at("evidence-now"), isNumber(evidence) ? `${fixed(evidence, 2)} × threshold` : "unknown");
      at("evidence-bar").style.width = `${Math.min(100, Math.max(0, isNumber(evidence) ? evidence * 50 : 0))}%`;
      const tilt = status.tiltSinceParkingDegrees;
      show(at("tilt"), isNumber(tilt));
      if (isNumber(tilt)) put(at("tilt"), `Tilted by ${fixed(tilt, 1)}° since parking`);
      document.title = `${status.phase} · ${status.trackerID} · Leash`;
      put(at("tracker"), status.trackerID);
    };

    const showPosition = (status) => {
      const place = status.position;
      const age = at("position-age");
      if (!place) {
        put(at("position"), "No position yet");
        put(age, "");
        fillFacts(at("position-facts"), [["Odometer", metres(status.odometerMetres)]]);
        return;
      }
      put(at("position"), `${degrees(place.latitudeDegrees, "N", "S")}, ${degrees(place.longitudeDegrees, "E", "W")}`);
      put(age, place.isStale ? `Stale: ${span(place.ageSeconds)} old` : `Fresh: ${ago(place.ageSeconds)}`);
      age.className = place.isStale ? "tag warn" : "tag";
      const facts = [];
      if (isNumber(place.accuracyMetres)) facts.push(["Accuracy", `± ${metres(place.accuracyMetres)} (68 %)`]);
      if (isNumber(place.speedMetresPerSecond)) {
        const speed = place.speedMetresPerSecond;
        facts.push(["Speed", `${fixed(speed * 3.6, 1)} km/h (${fixed(speed, 1)} m/s)`]);
      }
      if (isNumber(place.courseDegrees)) facts.push(["Course", `${fixed(place.courseDegrees, 0)}° ${compass(place.courseDegrees)}`]);
      if (isNumber(place.altitudeMetres)) facts.push(["Altitude", `${fixed(place.altitudeMetres, 0)} m above the sea`]);
      if (isNumber(place.satellites)) facts.push(["Satellites", String(place.satellites)]);
      facts.push(["Odometer", metres(status.odometerMetres)]);
      if (status.lastRideMetres > 0) facts.push(["Last ride", metres(status.lastRideMetres)]);
      fillFacts(at("position-facts"), facts);
    };

    const showOutbox = (status) => {
      const outbox = status.outbox;
      const waiting = outbox.waiting;
      put(at("outbox-count"), `${waiting.length} of ${outbox.capacity} places taken`);
      show(at("no-outbox"), waiting.length === 0);
      show(at("outbox"), waiting.length > 0);
      fillList(at("outbox-rows"), waiting, () => make("tr", "", make("td"), make("td"), make("td"), make("td")), (row, packet) => {
        row.className = packet.kind === "movement" ? "alert" : "";
        put(row.children[0], String(packet.sequence));
        put(row.children[1], packetName(packet.kind));
        put(row.children[2], packet.attempts === 0 ? "not yet" : count(packet.attempts, "time", "times"));
        put(row.children[3], isNumber(packet.ageSeconds) ? span(packet.ageSeconds) : "before restart");
      });
      const parts = [`${grouped(outbox.acknowledged)} acknowledged`, count(outbox.retries, "retry", "retries")];
      if (outbox.spooled) parts.push(`${count(outbox.spooled, "report", "reports")} in the spool`);
      if (outbox.thinned) parts.push(`${count(outbox.thinned, "report", "reports")} thinned out`);
      if (outbox.evicted) parts.push(`${count(outbox.evicted, "report", "reports")} dropped`);
      if (outbox.refused) parts.push(`${count(outbox.refused, "packet", "packets")} refused`);
      put(at("outbox-totals"), parts.join(" · "));
    };

    """#

  /// Sensors, uplinks, and the machine they run on.
  static let devices = #"""
    const kindOf = (state) => ({ running: "good", open: "good", failed: "bad", opening: "busy" })[state] || "";
    const makeDevice = () => make("li", "",
      make("div", "device-head", make("b"), make("span", "device-state")),
      make("div", "device-reason"), make("div", "device-more"), make("div", "device-more"));
    const fillDevice = (row, device) => {
      row.className = kindOf(device.state);
      const [head, reason, numbers, facts] = row.children;
      put(head.children[0], device.name);
      const retry = isNumber(device.retryInSeconds) ? `, tried again in ${fixed(Math.max(0, device.retryInSeconds), 0)} s` : "";
      put(head.children[1], device.state + retry);
      put(reason, device.reason || "");
      const parts = [];
      if (isNumber(device.hertz)) parts.push(`${fixed(device.hertz, device.hertz < 9.95 ? 1 : 0)} per second`);
      if (isNumber(device.inputs)) parts.push(count(device.inputs, "input", "inputs"));
      if (isNumber(device.lastInputSeconds)) parts.push(`last ${ago(device.lastInputSeconds)}`);
      if (device.failures) parts.push(count(device.failures, "failure", "failures"));
      put(numbers, parts.join(" · "));
      put(facts, (device.facts || []).map((fact) => `${fact.name} ${fact.value}`).join(" · "));
    };
    const showDevices = (status) => {
      for (const kind of ["sensors", "uplinks"]) {
        show(at(`no-${kind}`), status[kind].length === 0);
        fillList(at(kind), status[kind], makeDevice, fillDevice);
      }
    };

    const showMachine = (status) => {
      const { store, recording, process } = status;
      const share = process.uptimeSeconds > 0 ? ` (${fixed((100 * process.cpuSeconds) / process.uptimeSeconds, 1)} % of a core)` : "";
      const kept = [["File", store.path], ["Changes kept", grouped(store.commits)],
        ["Slowest", `${fixed(store.longestCommitMilliseconds, 1)} ms`]];
      if (store.failures) kept.push(["Not kept at once", grouped(store.failures), true]);
      if (store.unkept) kept.push(["Left before kept", count(store.unkept, "packet", "packets"), true]);
      if (store.problem) kept.push(["Problem", store.problem, true]);
      if (store.remark) kept.push(["Remark", store.remark]);
      const recorded = [];
      if (recording) {
        recorded.push(["Folder", recording.folder]);
        if (recording.file) recorded.push(["File", recording.file]);
        recorded.push(["This run", bytes(recording.bytes)]);
        if (recording.removed) recorded.push(["Old files removed", grouped(recording.removed)]);
        if (recording.lost) recorded.push(["Records lost", grouped(recording.lost), true]);
        if (recording.problem) recorded.push(["Problem", recording.problem, true]);
      } else {
        recorded.push(["State", "off"]);
      }
      const groups = [
        ["Process", [["Running for", span(process.uptimeSeconds)], ["Processor", `${span(process.cpuSeconds)}${share}`],
          ["Memory", `${fixed(process.residentKibibytes / 1024, 1)} MiB`],
          ["Turns of the loop", `${grouped(process.turns)}, longest ${fixed(process.longestTurnMilliseconds, 1)} ms`],
          ["Process number", String(process.id)]]],
        ["Store", kept], ["Recording", recorded],
        ["Counters", status.counters.length ? status.counters.map((fact) => [fact.name, fact.value])
          : [["Everything", "was used; nothing to count"]]],
      ];
      fillList(at("machine"), groups, () => make("div", "", make("h3"), make("dl")), (group, [name, facts]) => {
        put(group.children[0], name);
        fillFacts(group.children[1], facts);
      });
      put(at("footer"), `Leash ${status.version} · times are UTC${status.utc ? "" : ", which no receiver has told yet"}`);
    };

    """#
}
