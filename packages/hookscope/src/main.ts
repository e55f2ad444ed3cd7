#!/usr/bin/env node
process.stderr.write("HOOKSCOPE_COMMAND_UNKNOWN: there is no command yet.\n");
process.exitCode = 2;
