import { durationText } from '../inbox/amounts.ts'
import { clearDrawn, draw, terminalColumns } from './print.ts'

/** Shows the progress of long work: only on a terminal, and only if there is much to do. */
export type Progress = {
  /**
   * @param done  how much is done, in the unit of the total
   * @param count  how many things that was, if the total is of something else, such as bytes
   */
  readonly passed: (done: bigint, count?: number) => void
  readonly end: () => void
}

/**
 * A bar on standard error. It is drawn by `passed` itself, fits into one line of the terminal, and changes no setting of the terminal: so
 * whatever ends the process, there is nothing to restore. It never keeps a process alive.
 *
 * @param total  the whole amount, in the unit of `passed`
 * @param much  the least amount for which a bar is shown
 * @param unit  what is counted, such as `events`
 */
export const progressBar = async (total: bigint, much: bigint, unit = ''): Promise<Progress> => {
  const columns = terminalColumns()
  if (columns === undefined || total < much) return { passed: () => undefined, end: () => undefined }
  const begunAt = performance.now()
  let drawnAt = -Infinity
  return {
    passed: (done, count = Number(done)) => {
      const now = performance.now()
      if (now - drawnAt < REDRAW_AFTER_MS) return
      drawnAt = now
      draw(barText({ total, done, count, unit, elapsedMs: now - begunAt }, terminalColumns() ?? columns))
    },
    end: clearDrawn,
  }
}

const REDRAW_AFTER_MS = 100

export type Passed = {
  readonly total: bigint
  readonly done: bigint
  readonly count: number
  readonly unit: string
  readonly elapsedMs: number
}

/** The text of a bar, shorter than the line. In a narrow terminal, what matters less is left out: time, rate, the bar itself, the count. */
export const barText = ({ total, done, count, unit, elapsedMs }: Passed, columns: number): string => {
  const share = total <= 0n ? 1 : Math.min(1, Math.max(0, Number(done) / Number(total)))
  const percent = `${Math.floor(share * 100)} %`.padStart(5)
  const counted = `${count.toLocaleString('en')}${unit === '' ? '' : ` ${unit}`}`
  const rate = elapsedMs < MEASURED_AFTER_MS ? [] : [`${Math.round((count * 1000) / elapsedMs).toLocaleString('en')}/s`]
  const left =
    rate.length === 0 || share === 0 ? [] : [`${durationText(Math.ceil((elapsedMs * (1 - share)) / share))} left`]
  const room = columns - 1 // text in the last column would begin the next line
  const texts = [[counted, ...rate, ...left], [counted, ...rate], [counted], []].map((parts) =>
    [percent, ...parts].join('  '),
  )
  const beside = texts.find((text) => text.length + 2 + BAR_LEAST <= room)
  if (beside === undefined) return texts.find((text) => text.length <= room) ?? ''
  const width = Math.min(BAR_MOST, room - beside.length - 2)
  const full = Math.round(share * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}  ${beside}`
}

const MEASURED_AFTER_MS = 500
const BAR_LEAST = 10
const BAR_MOST = 40
