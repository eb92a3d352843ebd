import type { Worker } from 'node:worker_threads'
import { failure, type Failure } from '../../core/failure.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { KeyAnswer, KeyTask, Results, Uses, UseTag } from './key-use.ts'
import { startKeyWorker } from './start-key-worker.ts'

export type KeyRequested =
  { readonly _tag: 'use'; readonly ticket: number; readonly task: KeyTask } | { readonly _tag: 'close' }
export type KeyAnswered = { readonly ticket: number; readonly answer: KeyAnswer }

/** The thread that computes with keys. */
export type KeyThread = {
  readonly use: <Tag extends UseTag>(
    from: Pick<KeyTask, 'dataKey' | 'row'>,
    tag: Tag,
    what: Uses[Tag],
  ) => TE.TaskEither<Failure, Results[Tag]>
  /** Waits for all earlier requests, then ends the thread. */
  readonly close: () => Promise<void>
}

/** The thread starts at the first request, and anew after it has died: what was under way then fails with `UNAVAILABLE`. */
export const keyThread = (start: () => Worker = startKeyWorker): KeyThread => {
  const waiting = new Map<number, (answer: KeyAnswer | undefined) => void>()
  let tickets = 0
  let worker: Worker | undefined
  let isClosed = false

  const started = (): Worker => {
    const one = start()
    one.on('message', ({ ticket, answer }: KeyAnswered) => {
      waiting.get(ticket)?.(answer)
      waiting.delete(ticket)
      if (waiting.size === 0 && !isClosed) one.unref()
    })
    one.on('error', () => {}) // 'exit' follows
    one.once('exit', () => {
      worker = undefined
      for (const answer of waiting.values()) answer(undefined)
      waiting.clear()
    })
    return one
  }
  const tell = (to: Worker, message: KeyRequested): void => to.postMessage(message, [])

  const answerTo = (task: KeyTask): Promise<KeyAnswer | undefined> =>
    new Promise((resolve) => {
      if (isClosed) return resolve(undefined)
      worker ??= started()
      waiting.set(++tickets, resolve)
      worker.ref() // the process must not end while a request is waiting
      tell(worker, { _tag: 'use', ticket: tickets, task })
    })

  return {
    use: (from, tag, what) => async () => {
      const answer = await answerTo({ ...from, use: { _tag: tag, ...what } as KeyTask['use'] }) // a tag and its own use
      if (answer === undefined) return E.left(isClosed ? closed : died)
      if (answer._tag !== 'done') return E.left(answer._tag === 'unfit' ? unfit : unreadable)
      return E.right(answer.value as Results[typeof tag]) // paired by ticket
    },
    close: () =>
      new Promise((resolve) => {
        isClosed = true
        if (worker === undefined) return resolve()
        worker.once('exit', () => resolve())
        worker.ref()
        tell(worker, { _tag: 'close' })
      }),
  }
}

const died = failure('UNAVAILABLE', 'the thread that computes with keys has ended: try again')
const closed = failure('UNAVAILABLE', 'the keyring is closed')
const unfit = failure('INTERNAL', 'a key cannot be used so: curve, path, scheme or message do not fit it')
const unreadable = failure(
  'STORE_UNREADABLE',
  'a sealed key does not open: the store was changed by somebody else, or a newer version has written it',
)
