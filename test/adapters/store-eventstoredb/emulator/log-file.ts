/** Keeps the log of an emulator in a file, so that it outlives the process: a line per append, written before the answer. */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import type { EventLog, LogRecord } from './event-log.ts'

type Line = Omit<LogRecord, 'data' | 'metadata' | 'revision' | 'position'> & {
  readonly data: string
  readonly metadata: string
  readonly revision: string
  readonly position: string
}

/** Puts what the file holds into the log, which is empty, and writes down what comes. */
export const keepIn = (file: string, log: EventLog): void => {
  if (existsSync(file)) {
    const text = readFileSync(file, 'utf8')
    // A line that a crash cut short was never answered.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
    for (const line of whole.split('\n').slice(0, -1)) for (const record of recordsIn(line)) log.restore(record)
  }
  let kept = log.all().length
  log.onAppended(() => {
    const records = log.all().slice(kept)
    kept += records.length
    appendFileSync(file, `${JSON.stringify(records.map(lineOf))}\n`)
  })
}

const recordsIn = (text: string): readonly LogRecord[] => {
  // Only `lineOf` makes what is in the file.
  const lines = JSON.parse(text) as readonly Line[]
  return lines.map((line) => ({
    ...line,
    data: Buffer.from(line.data, 'base64'),
    metadata: Buffer.from(line.metadata, 'base64'),
    revision: BigInt(line.revision),
    position: BigInt(line.position),
  }))
}

const lineOf = (record: LogRecord): Line => ({
  ...record,
  data: Buffer.from(record.data).toString('base64'),
  metadata: Buffer.from(record.metadata).toString('base64'),
  revision: `${record.revision}`,
  position: `${record.position}`,
})
