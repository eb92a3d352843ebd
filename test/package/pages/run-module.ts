/** Runs a compiled module of a page, as a reader would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { patternOf } from '../../system/docs/shell.ts'
import type { Module } from '../../system/docs/modules.ts'

/** How long a program may run that serves, and ends only when it is told to. */
const SERVES_MS = 3_000
const ENDS_MS = 60_000

/** Runs it in a folder of its own. A page that serves is ended by SIGTERM, as its reader would end it. */
export const runModule = async ({ name, page, text, prints }: Module, host: string): Promise<void> => {
  const cwd = join(host, 'runs', name)
  mkdirSync(cwd, { recursive: true })
  const server = text.includes('data/credentials.json') ? await serve(host, cwd) : undefined
  try {
    const program = spawn(process.execPath, [join(host, 'compiled', `${name}.js`)], { cwd })
    const said = { out: '', err: '' }
    program.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
    program.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
    const timer = setTimeout(() => program.kill('SIGTERM'), serves(text) ? SERVES_MS : ENDS_MS)
    const [code, signal] = (await once(program, 'exit')) as [number | null, string | null] // as Node says
    clearTimeout(timer)
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

/** Whether the module keeps an engine open: it serves, or it shows one step of a longer program. */
const serves = (text: string): boolean => /createEngine\(/.test(text) && !/engine\.close\(\)\n/.test(text)

const serve = async (host: string, cwd: string) => {
  const args = ['serve', '--store', 'sqlite:data/countersign.db', '--init', 'data/credentials.json', '--port', '0']
  const server = spawn(join(host, 'node_modules/.bin/countersign'), args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const chunk of server.stdout) if (String(chunk).includes('listening')) break
  server.stdout.resume()
  return server
}
