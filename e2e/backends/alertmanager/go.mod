module hookscope/e2e/backends/alertmanager

go 1.26.0

// Built in a copy of the module, whose own go.mod and go.sum pin the rest: its archive lacks the web page's
// generated files, which the source embeds, so that a plain tool line does not compile.
require github.com/prometheus/alertmanager v0.35.0
