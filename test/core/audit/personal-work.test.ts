import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { operation } from '../../../core/definition/operation.ts'
import { resource } from '../../../core/definition/resource.ts'
import type { Json } from '../../../core/failure.ts'
import { eraseUser, erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { world } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

/* What work brings for a person, and for nobody else: it is in a part, can be erased, and an audit executes with it as long as it is there. */
const it = suite('work that brings what is personal')

const LETTER = 'dear ada'

/** Writes a letter to its requester. */
const letter = operation({
  type: 'ACTIVITY_TYPE_WRITE_LETTER',
  path: 'write_letter',
  summary: 'Writes a letter.',
  resource: 'LETTER',
  action: 'WRITE',
  intent: t.fields({ to: t.string }),
  result: t.fields({ readerId: t.subject(t.string), letter: t.personal(t.string, '') }),
  change: t.fields({ length: t.number }),
  subjects: () => [],
  perform: {
    outside: false,
    resumeAfterMs: 0,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: t.fields({ readerId: t.subject(t.string), letter: t.personal(t.string, '') }),
    run: ({ to }, { requester }) => ({ readerId: requester, letter: `dear ${to}` }),
  },
  verify: async (brought, { to }) => brought.letter === `dear ${to}`,
  execute: (_, { performed }) => ({ result: performed, change: { length: LETTER.length } }),
  encodeResult: (result) => ({ letter: result.letter === '' ? null : result.letter }),
  evolve: () => undefined,
})

const own = [letter, eraseUser]

const log = async ({ erases }: { readonly erases: boolean }) => {
  const w = await world({ resources: [...publicApi, ...erasure, resource({ name: 'letters', operations: [letter] })] })
  const ada = await w.enrol('ada')
  const policy = {
    policyName: 'letters',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'LETTER'",
    notes: '',
  }
  await w.done(w.root, 'create_policy', { ...policy, consensus: 'true' })
  const written = await w.done(ada, 'write_letter', { to: 'ada' })
  assert.equal(written.result, { writeLetterResult: { letter: LETTER } })
  if (erases) {
    await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
    await w.done(w.root, 'erase_user', { userId: ada.userId })
  }
  const text = await exported(w.storage.store)
  const { activity } = await w.answer(w.root, 'get_activity', { activityId: written.id })
  await w.close()
  return { text, result: (activity as { readonly result: Json }).result }
}

/** The draft of the letter. */
const of = (drafts: readonly Draft[]): Draft => must(drafts.find(({ event }) => event.data.performed !== undefined))

it('keeps it out of the line, and an audit executes again with it', async () => {
  const { text } = await log({ erases: false })
  assert.is(text.includes(LETTER), false) // parts are base64
  assert.is((of(draftsOf(text)).event.data.performed as { letter: null }).letter, null)
  const { findings, counts } = await audited(text, {}, own)
  assert.equal([findings, counts.executionsErased, counts.executionsInPart], [[], 0, 0])
})

it('shows null once its person is erased, and an audit counts it', async () => {
  const { text, result } = await log({ erases: true })
  assert.equal(result, { writeLetterResult: { letter: null } })
  const { findings, counts } = await audited(text, {}, own)
  assert.equal([findings, counts.executionsInPart], [[], 1])
})

const forgeries: { readonly [name: string]: (draft: Draft) => void } = {
  'another letter in the part': ({ others = [] }) => {
    const personal = { result: ['dear eve'], performed: ['dear eve'] }
    for (const part of others) part.bytes = encodeUtf8(JSON.stringify(personal))
  },
  'a result that the work has not brought': ({ others = [] }) => {
    for (const part of others) part.bytes = encodeUtf8(JSON.stringify({ result: ['dear eve'], performed: [LETTER] }))
  },
  'a part with less than the line names': ({ others = [] }) => {
    for (const part of others) part.bytes = encodeUtf8(JSON.stringify({ result: [LETTER] }))
  },
  'the letter in the line': ({ event }) => {
    Object.assign(event.data.performed as object, { letter: LETTER })
  },
}

for (const [name, forge] of Object.entries(forgeries))
  it(`finds ${name}, with all hashes made right again`, async () => {
    const drafts = draftsOf((await log({ erases: false })).text)
    const draft = of(drafts)
    forge(draft)
    for (const { name: part } of draft.others ?? []) delete draft.event.parts[part] // hashed anew
    const codes = codesIn(await audited(forged(rebased(drafts)), {}, own))
    assert.is(codes.includes('EXECUTION_DIFFERS') || codes.includes('PERFORMED_DIFFERS'), true)
  })

it.run()
