#!/usr/bin/env node
/*
 * The command `countersign`: the bundle of the command line. A host's module imports the library, and what it imports has to be what runs: so
 * with `--resources`, the library's own files run in place of the bundle.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

process.setSourceMapsEnabled(true) // before what it is to hold for

const isOfHost =
  (process.env['COUNTERSIGN_RESOURCES'] ?? '') !== '' ||
  process.argv.some((argument) => argument === '--resources' || argument.startsWith('--resources='))

if (isOfHost) {
  const manifest = createRequire(import.meta.url).resolve('countersign/package.json')
  await import(new URL('dist/adapters/cli/main.js', pathToFileURL(manifest)).href)
} else await import('./main.ts')
