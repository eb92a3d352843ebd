/* The checks of `doctor`: each looks at one thing, and changes nothing. */
import { once } from 'node:events'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { CountersignError } from '../../core/countersign-error.ts'
import { decodeEvent, millis } from '../../core/log/event.ts'
import { E } from '../../core/prelude.ts'
import { bytesText, durationText } from '../inbox/amounts.ts'
import { readCaller } from '../credentials/credentials.ts'
import type { Checked } from './doctor.ts'
import { close, filesOf, openToRead, type BesideFlags } from './open-store.ts'
import { inQuotes } from './shell.ts'
import { shownStore } from './shown-store.ts'
import { resultOf, Stop, systemReason } from './stop.ts'

/** Node's version, as `engines` of the package asks for it. */
export const checkNode = (version: string): Checked => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNewEnough = major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR)
  const found = `Node ${version}`
  return isNewEnough
    ? { check: 'Node', state: 'ok', found }
    : { check: 'Node', state: 'wrong', found, advice: `install Node ${NODE_MAJOR}.${NODE_MINOR} or newer` }
}

const [NODE_MAJOR, NODE_MINOR] = [20, 19]

/** Whether the store can be read, and who has rights on its files and its folder. */
export const checkStore = async (url: string, flags: BesideFlags): Promise<Checked> => {
  const check = 'store'
  const [file, ...beside] = filesOf(url, flags)
  // First: SQLite makes files beside it when it is opened.
  const others = file === undefined ? [] : await othersMay([file, ...beside, dirname(file)])
  const open = await opened(url, flags)
  if (open !== undefined) return { check, state: 'wrong', ...open }
  if (file === undefined) return { check, state: 'ok', found: `${shownStore(url)} that can be read` }
  if (others.length > 0) return rights(check, others)
  const isWritable = await may(file, constants.W_OK)
  return isWritable
    ? { check, state: 'ok', found: `${file} can be read and written, by its owner alone` }
    : { check, state: 'warning', found: `${file} cannot be written by this user`, advice: 'serve as its owner' }
}

const opened = async (url: string, flags: BesideFlags): Promise<Pick<Checked, 'found' | 'advice'> | undefined> => {
  try {
    await close(await openToRead(url, flags))
    return undefined
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return {
      found: error.message,
      advice: 'name the store with --store, or begin one with countersign serve --init',
    }
  }
}

const rights = (check: string, paths: readonly string[]): Checked => ({
  check,
  state: 'wrong',
  found: `others than the owner have rights on ${paths.join(', ')}`,
  advice: `chmod go= ${paths.map(inQuotes).join(' ')}`,
})

/** Whether the credentials can be used, and who has rights on them. */
export const checkCredentials = async (path: string): Promise<Checked> => {
  const check = 'credentials'
  try {
    await readCaller(path)
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return { check, state: 'wrong', found: error.message, advice: 'name the file with --credentials' }
  }
  const others = await othersMay([path])
  return others.length > 0
    ? rights(check, others)
    : { check, state: 'ok', found: `${path} can be read by its owner alone` }
}

/** The paths on which others than the owner have rights. Windows has no such rights. */
const othersMay = async (paths: readonly string[]): Promise<readonly string[]> => {
  if (process.platform === 'win32') return []
  const found = await Promise.all(paths.map(async (path) => ({ path, mode: await modeOf(path) })))
  return found.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path)
}

const modeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mode }) => mode,
    () => 0,
  )

const may = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** Whether the clock is behind what has been written already: the newest event, or the files of the store. */
export const checkClock = async (url: string, flags: BesideFlags): Promise<Checked> => {
  const check = 'clock'
  const nowMs = Date.now()
  const times = await Promise.all(
    filesOf(url, flags).map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const aheadMs = Math.max(await newestEventMs(url, flags), ...times, 0) - nowMs
  const found = new Date(nowMs).toISOString()
  if (aheadMs <= TOLERATED_MS) return { check, state: 'ok', found: `${found}, not behind the store` }
  const behind = `${found}, ${durationText(aheadMs)} behind what the store has already`
  return {
    check,
    state: 'wrong',
    found: behind,
    advice: 'set the clock by a time server (NTP); requests are refused by their age',
  }
}

/** Clocks of file systems are coarse, and some are in another machine. */
const TOLERATED_MS = 2_000

/** The time of the newest event; 0 if there is none, or it cannot be read, which another check says. */
const newestEventMs = async (url: string, flags: BesideFlags): Promise<number> => {
  try {
    const storage = await openToRead(url, flags)
    try {
      const last = await resultOf(storage.store.lastPosition())
      if (last === 0n) return 0
      const [newest] = await resultOf(storage.store.readAll(last - 1n, 1, { parts: false, bytesMax: 1 }))
      const event = newest === undefined ? undefined : decodeEvent(newest.line)
      return event !== undefined && E.isRight(event) ? millis(event.right.at) : 0
    } finally {
      await close(storage)
    }
  } catch (error) {
    if (error instanceof Stop) return 0
    throw error
  }
}

/** How much room the folder of the store has. */
export const checkSpace = async (url: string, flags: BesideFlags): Promise<Checked> => {
  const check = 'disk space'
  const [file] = filesOf(url, flags)
  if (file === undefined) return { check, state: 'ok', found: 'the store needs none on this machine' }
  try {
    const { bavail, bsize } = await statfs(dirname(resolve(file)))
    return spaceOf(bavail * bsize)
  } catch (error) {
    return { check, state: 'warning', found: `the free space is not known: ${systemReason(error)}` }
  }
}

/** @param free  bytes */
export const spaceOf = (free: number): Checked => {
  const check = 'disk space'
  const found = `${bytesText(free)} are free beside the store`
  if (free < LEAST_BYTES) return { check, state: 'wrong', found, advice: 'make room: a full disk stops all commands' }
  return free < LITTLE_BYTES
    ? { check, state: 'warning', found, advice: 'make room soon: a full disk stops all commands' }
    : { check, state: 'ok', found }
}

const LEAST_BYTES = 100e6
const LITTLE_BYTES = 1e9

/** Whether the port is free, and if not, whether Countersign answers there. */
export const checkPort = async ({ host, port }: { readonly host: string; readonly port: number }): Promise<Checked> => {
  const check = 'port'
  const where = `port ${port} of ${host}`
  const busy = await listenError(host, port)
  if (busy === undefined) return { check, state: 'ok', found: `${where} is free` }
  const service = await serviceAt(host, port)
  if (service === 'countersign') return { check, state: 'ok', found: `Countersign answers at ${where}` }
  const advice = 'choose another with --port, or stop what uses it'
  return { check, state: 'wrong', found: `${where} cannot be used: ${systemReason(busy)}${service}`, advice }
}

const listenError = async (host: string, port: number): Promise<unknown> => {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen({ host, port })
    await once(server, 'listening') // or its error
  } catch (error) {
    return error
  }
  server.close()
  await once(server, 'close')
  return undefined
}

/** Who answers there: `countersign`, or words about somebody else. */
const serviceAt = async (host: string, port: number): Promise<string> => {
  const name = host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${name}:${port}/`, { signal: AbortSignal.timeout(ASK_WITHIN_MS) })
    const text = await response.text()
    return /countersign/i.test(text) ? 'countersign' : `, by another HTTP server (status ${response.status})`
  } catch {
    return '' // nobody answers over HTTP
  }
}

const ASK_WITHIN_MS = 2_000
