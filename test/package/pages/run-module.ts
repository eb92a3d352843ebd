/** Runs a compiled module of a page, as a reader would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { patternOf } from '../../system/docs/shell.ts'
import type { Module } from '../../system/docs/modules.ts'

/** What the program says when the module has come to its end. */
const AT_END = 'The module has come to its end.'

/** Runs it in a folder of its own. A page that serves is ended by SIGTERM, as its reader would end it. */
export const runModule = async ({ name, page, text, prints }: Module, host: string): Promise<void> => {
  const cwd = join(host, 'runs', name)
  mkdirSync(cwd, { recursive: true })
  const server = text.includes('data/credentials.json') ? await serve(host, cwd) : undefined
  try {
    const file = join(host, 'compiled', `${name}.js`)
    const program = spawn(process.execPath, serves(text) ? ['--input-type=module', '--eval', toItsEnd(file)] : [file], {
      cwd,
    })
    const said = { out: '', err: '' }
    program.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
    program.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString()
      if (said.err.includes(AT_END)) program.kill('SIGTERM')
    })
    const [code, signal] = (await once(program, 'exit')) as [number | null, string | null] // as Node says
    assert.ok(
      code === 0 || (serves(text) && signal === 'SIGTERM'),
      `${page.path}: ${code ?? signal}\n${said.err}\n${said.out}`,
    )
    assert.not.match(said.err, /Error\b|\bat file:/, page.path)
    if (prints !== undefined) assert.match(said.out, patternOf(prints), page.path)
  } finally {
    server?.kill('SIGTERM')
  }
}

/** A program that runs the module, waits for what it exports, and says so. */
const toItsEnd = (file: string): string =>
  `await Promise.all(Object.values(await import('${pathToFileURL(file).href}'))); console.error('${AT_END}')`

/** Whether the module keeps an engine open: it serves, or it shows one step of a longer program. */
const serves = (text: string): boolean => /createEngine\(/.test(text) && !/engine\.close\(\)\n/.test(text)

const serve = async (host: string, cwd: string) => {
  const args = [
    'serve',
    '--store',
    'sqlite:data/countersign.db',
    '--init',
    '--credentials',
    'data/credentials.json',
    '--port',
    '0',
    '--sandbox-contacts',
  ]
  const server = spawn(join(host, 'node_modules/.bin/countersign'), args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const chunk of server.stdout) if (String(chunk).includes('listening')) break
  server.stdout.resume()
  return server
}
