#!/usr/bin/env bash
# Draws the output of `make demo` as docs/images/timeline.svg, the picture in the README.
set -euo pipefail
cd "$(dirname "$0")/.."
make --no-print-directory release >&2
make --no-print-directory demo 2>/dev/null | sed -n '/^recorded/,$p' | LC_ALL=C awk '
  function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
  # awk counts bytes: a line is cut where a character begins.
  function cut(text, bytes) {
    if (length(text) <= bytes) return text
    while (bytes > 0 && substr(text, bytes + 1, 1) ~ /[\200-\277]/) bytes--
    return substr(text, 1, bytes) "…"
  }
  function colour(text) {
    if (text ~ /ALERT/) return "#ff6b6b"
    if (text ~ /Suspicious/) return "#ffd166"
    if (text ~ /→/ || text ~ /^                      "/) return "#6cb6ff"
    if (text ~ /· script/) return "#8b949e"
    if (text ~ /SYNTHETIC/) return "#ffd166"
    if (text ~ /Riding|Armed/) return "#7ee787"
    return "#e6edf3"
  }
  { lines[NR] = $0 }
  END {
    height = 20 * NR + 40
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1080 " height "\" width=\"1080\" height=\"" height "\" role=\"img\">"
    print "<title>Output of make demo: a recorded ride, parking, and a simulated theft</title>"
    print "<rect width=\"1080\" height=\"" height "\" rx=\"8\" fill=\"#0d1117\"/>"
    print "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\">"
    for (i = 1; i <= NR; i++)
      print "<text x=\"16\" y=\"" (20 * i + 16) "\" fill=\"" colour(lines[i]) "\" xml:space=\"preserve\">" escape(cut(lines[i], 130)) "</text>"
    print "</g>\n</svg>"
  }' > docs/images/timeline.svg
