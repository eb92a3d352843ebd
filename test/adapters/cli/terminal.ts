import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as NodePty from '@lydell/node-pty'
import * as assert from 'uvu/assert'
import type * as XtermHeadless from '@xterm/headless'
import { program } from './run-cli.ts'

const load = createRequire(import.meta.url)

type Pty = typeof NodePty
type Headless = typeof XtermHeadless

/** The binary for pseudo-terminals, where there is one for this platform. */
const pty = ((): Pty | undefined => {
  try {
    return load('@lydell/node-pty') as Pty
  } catch {
    return undefined
  }
})()
const { Terminal } = load('@xterm/headless') as Headless

/** Whether commands can run on a pseudo-terminal here. Says so if not. */
export const hasTerminals = (): boolean => {
  if (pty === undefined) console.log('   left out: there is no binary for pseudo-terminals on this platform')
  return pty !== undefined
}

export type OnTerminal = {
  /** All lines so far, also those that have scrolled away. */
  readonly screen: () => Promise<string>
  /** Waits until the screen matches. */
  readonly until: (pattern: RegExp) => Promise<string>
  readonly press: (keys: string) => void
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>
  /** Everything that the command wrote, byte for byte. */
  readonly written: () => string
}

export type TerminalOptions = {
  readonly cwd: string
  readonly columns?: number
  readonly env?: { readonly [name: string]: string }
}

export const CTRL_C = '\u0003'

/** Runs the command on a real pseudo-terminal, and renders what it writes as a terminal does. */
export const onTerminal = (args: readonly string[], { cwd, columns = 100, env = {} }: TerminalOptions): OnTerminal => {
  if (pty === undefined) throw new Error('there are no pseudo-terminals here')
  const size = { cols: columns, rows: 50 }
  const terminal = new Terminal({ ...size, scrollback: 1_000, allowProposedApi: true })
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/COLOR|^COUNTERSIGN_/.test(name)))
  const child = pty.spawn(process.execPath, [...program, ...args], {
    ...size,
    cwd,
    env: { ...kept, TERM: 'xterm-256color', ...env },
  })
  let written = ''
  let isOver = false
  let wake = (): void => undefined
  child.onData((text) => {
    written += text
    terminal.write(text)
    wake()
  })
  const ended = new Promise<Awaited<OnTerminal['ended']>>((resolve) => {
    child.onExit((exit) => {
      isOver = true
      wake()
      resolve(exit)
    })
  })
  const screen = async (): Promise<string> => {
    await new Promise<void>((resolve) => terminal.write('', resolve))
    const { active } = terminal.buffer
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
    return `${lines.join('\n').trimEnd()}\n`
  }
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const isLast = isOver
      const shown = await screen()
      if (pattern.test(shown)) return shown
      if (isLast) throw new Error(`never on the screen: ${String(pattern)}\n${shown}`)
      await woken
    }
  }
  return {
    screen,
    until,
    ended,
    press: (keys) => child.write(keys),
    kill: (signal) => child.kill(signal),
    written: () => written,
  }
}

/** The terminal is as it was: the cursor is shown, lines wrap, no style goes on, the other screen is not shown. */
export const isRestored = (written: string): boolean => {
  const last = (on: string, off: string): boolean => written.lastIndexOf(on) >= written.lastIndexOf(off)
  const styles = written.split('\u001b[').flatMap((text) => /^[\d;]*m/.exec(text)?.[0] ?? [])
  return (
    last('\u001b[?25h', '\u001b[?25l') &&
    last('\u001b[?7h', '\u001b[?7l') &&
    last('\u001b[?1049l', '\u001b[?1049h') &&
    (styles.at(-1) ?? '0m') === '0m'
  )
}

/** What differs from run to run, replaced. */
export const stable = (screen: string): string =>
  screen
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/node \S+(?:bin\/countersign\.js|cli\/main\.ts)/g, 'countersign')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'FINGERPRINT')
    .replaceAll(/\b0[23][0-9a-f]{64}\b/g, 'KEY')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/(?<!\d)\d\d:\d\d:\d\d(?!\d)/g, 'HH:MM:SS')
    .replaceAll(/<?\d+ ms\b/g, 'N ms')
    .replaceAll(/\bjust now\b|\d+ \w+ ago/g, 'AGO')
    .replaceAll(/Countersign \d+\.\d+\.\d+/g, 'Countersign VERSION')
    .replaceAll(/█+░*|░+/g, 'BAR')
    .replaceAll(/ +\d+ % {2}[\d,]+ events(?: {2}[\d,]+\/s)?(?: {2}\d+ \w+ left)?/g, '  N %  N events')

/** Compares a screen with its golden text, after `stable`. With `SCREENS=write`, writes the text instead. */
export const matchesScreen = (name: string, screen: string): void => {
  const path = new URL(`screens/${name}.txt`, import.meta.url)
  if (process.env['SCREENS'] === 'write') writeFileSync(path, stable(screen))
  assert.fixture(stable(screen), readFileSync(path, 'utf8'))
}
