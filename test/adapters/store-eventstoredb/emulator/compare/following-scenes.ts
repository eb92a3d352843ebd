/** Subscriptions: what comes, and in which order. */
import {
  streamNameFilter,
  type AllStreamSubscription,
  type EventStoreDBClient,
  type StreamSubscription,
} from '@eventstore/db-client'
import { setTimeout as delay } from 'node:timers/promises'
import { collected } from '../with-client.ts'
import type { AnyResolved, Recorder } from './recorder.ts'
import type { Scene } from './scenes.ts'

/** How long nothing may come before a subscription is taken to have told everything. */
const QUIET_MS = 500

const gathered = async (
  recorder: Recorder,
  call: string,
  subscription: StreamSubscription | AllStreamSubscription,
  meanwhile: () => Promise<unknown>,
): Promise<void> => {
  const seen: unknown[] = []
  let lastMs = Date.now()
  const note = (what: unknown): void => {
    lastMs = Date.now()
    if (!Array.isArray(what) || what.length > 0) seen.push(what)
  }
  subscription.on('confirmation', () => note('confirmation'))
  subscription.on('caughtUp', () => note('caught up'))
  subscription.on('error', (error: Error) => note(`${error.constructor.name}: ${error.message}`))
  subscription.on('end', () => note('end'))
  subscription.on('data', (event: AnyResolved) => note(recorder.read([event])))
  const quiet = async (): Promise<void> => {
    while (Date.now() - lastMs < QUIET_MS) await delay(20)
  }
  await quiet()
  note('meanwhile')
  await meanwhile()
  lastMs = Date.now()
  await quiet()
  await subscription.unsubscribe()
  recorder.note(call, seen)
}

const appendTo = (client: EventStoreDBClient, recorder: Recorder, name: string, labels: readonly string[]) =>
  client.appendToStream(
    recorder.stream(name),
    labels.map((label) => recorder.event(`${name}-${label}`)),
  )

const ofStreams: Scene = async (client, recorder) => {
  for (const [label, fromRevision] of [
    ['start', 'start'],
    ['0', 0n],
    ['last', 2n],
    ['beyond', 10n],
    ['end', 'end'],
  ] as const) {
    await appendTo(client, recorder, label, ['a', 'b', 'c'])
    const stream = recorder.stream(label)
    const meanwhile = () => appendTo(client, recorder, label, ['d', 'e'])
    await gathered(recorder, label, client.subscribeToStream(stream, { fromRevision }), meanwhile)
  }
  for (const fromRevision of ['start', 'end', 0n] as const) {
    const name = `missing-${fromRevision}`
    const subscription = client.subscribeToStream(recorder.stream(name), { fromRevision })
    await gathered(recorder, name, subscription, () => appendTo(client, recorder, name, ['a', 'b']))
  }
  for (const kind of ['deleteStream', 'tombstoneStream'] as const) {
    await appendTo(client, recorder, kind, ['a'])
    const stream = recorder.stream(kind)
    const follow = () => client.subscribeToStream(stream)
    await gathered(recorder, `${kind} meanwhile`, follow(), async () => {
      await client[kind](stream)
      if (kind === 'deleteStream') await appendTo(client, recorder, kind, ['b'])
    })
    await gathered(recorder, `${kind} before`, follow(), async () => undefined)
  }
}

const ofLinks: Scene = async (client, recorder) => {
  await appendTo(client, recorder, 's', ['a', 'b'])
  const link = (at: number) => recorder.event(`${at}`, { type: '$>', data: `${at}@${recorder.stream('s')}` })
  await client.appendToStream(recorder.stream('links'), [link(1), link(7)])
  const subscription = client.subscribeToStream(recorder.stream('links'), { resolveLinkTos: true })
  await gathered(recorder, 'links', subscription, () => client.appendToStream(recorder.stream('links'), [link(0)]))
}

const ofEverything: Scene = async (client, recorder) => {
  await appendTo(client, recorder, 'a', ['1', '2'])
  await appendTo(client, recorder, 'b', ['1'])
  await appendTo(client, recorder, 'a', ['3'])
  const [, second] = await collected(client.readStream(recorder.stream('a')))
  const at = second?.event?.position
  if (at === undefined) return recorder.note('position', 'none')
  const positions = [
    ['at', at],
    ['behind', { commit: at.commit + 1n, prepare: at.prepare + 1n }],
    ['end', 'end'],
    ['beyond', { commit: 2n ** 60n, prepare: 2n ** 60n }],
  ] as const
  for (const [label, fromPosition] of positions)
    for (const filter of [
      undefined,
      streamNameFilter({ prefixes: [recorder.stream('')] }),
      streamNameFilter({ regex: `^${recorder.stream('a')}$` }),
    ]) {
      const name = `${label} ${filter === undefined ? 'without filter' : Object.keys(filter).includes('regex') ? 'by regex' : 'by prefix'}`
      const options = filter === undefined ? { fromPosition } : { fromPosition, filter }
      await gathered(recorder, name, client.subscribeToAll(options), async () => {
        await appendTo(client, recorder, 'a', [`${name}-a`])
        await appendTo(client, recorder, 'b', [`${name}-b`])
      })
    }
  return undefined
}

/** How many checkpoints come, while it catches up and later, for so many events of others. */
const checkpoints: Scene = async (client, recorder) => {
  await appendTo(client, recorder, 'ours', ['first'])
  const [first] = await collected(client.readStream(recorder.stream('ours')))
  const fromPosition = first?.event?.position ?? 'start'
  const others = (label: string, count: number) =>
    appendTo(
      client,
      recorder,
      'others',
      Array.from({ length: count }, (_, index) => `${label}-${index}`),
    )
  await others('before', 100)
  for (const [maxSearchWindow, checkpointInterval] of [
    [undefined, 1],
    [32, 1],
    [10, 1],
    [10, 3],
    [1000, 1],
  ] as const) {
    const counts = { before: 0, after: 0 }
    let phase: keyof typeof counts = 'before'
    const positions: bigint[] = []
    const filter = streamNameFilter({
      prefixes: [recorder.stream('ours')],
      checkpointInterval,
      ...(maxSearchWindow && { maxSearchWindow }),
      checkpointReached: async (_, { commit }) => {
        counts[phase] += 1
        positions.push(commit)
      },
    })
    const label = `window ${maxSearchWindow}, interval ${checkpointInterval}`
    await gathered(recorder, label, client.subscribeToAll({ fromPosition, filter }), async () => {
      phase = 'after'
      await others(`${label}-after`, 50)
      await appendTo(client, recorder, 'ours', [label])
    })
    recorder.note(`${label}: how many`, counts)
    recorder.note(
      `${label}: increasing`,
      positions.every((at, index) => index === 0 || at > (positions[index - 1] ?? 0n)),
    )
  }
}

export const FOLLOWING_SCENES: Readonly<Record<string, Scene>> = {
  'following-streams': ofStreams,
  'following-links': ofLinks,
  'following-all': ofEverything,
  checkpoints,
}
