import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openErasedHost, type ErasedHost } from './erased/host.ts'
import { filesOf, placesOf, type Place } from './erased/places.ts'
import { isOfOneLog, operations, tell, type Story } from './erased/story.ts'
import type { Canary } from './erased/aviary.ts'
import { secretText, sightings, type Secret } from './secret.ts'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import { createTvcManifestApprovals } from '../../../core/resources/tvc/create-tvc-manifest-approvals.ts'
import { operationExamples } from '../../core/resources/all-examples.ts'
import { textLeavesOf } from '../../core/resources/leaves.ts'
import { textMembersOf } from '../../core/resources/text-members.ts'

const it = suite('canaries of erased persons')

const ORGANIZATION = 'c0ffee00-0000-4000-8000-000000000002'
const members = textMembersOf(operations)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let host: ErasedHost
let story: Story
let before: readonly Place[]
const said: string[] = []
const path = (): string => `${folder.path}/erased.db`
const open = async (): Promise<void> => void (host = await openErasedHost(path(), (text) => void said.push(text)))

it.before(async () => {
  folder = await temporaryFolder()
  await open()
  story = await tell(host, ORGANIZATION)
  before = await placesOf(path(), host, story)
})
it.after(async () => {
  await host.close()
  await folder.remove()
})

type Kind = 'personal' | 'of the organization' | 'refused'
const NOT_OFFERED = operations.flatMap(({ versions }) => versions.filter(({ codec }) => codec === undefined))
const REFUSED = ['a refused request', ...NOT_OFFERED.map(({ type }) => type)]
/** How a mail to a person is to look. */
const OF_MAILS = [
  'appName',
  'logoUrl',
  'magicLinkTemplate',
  'templateVariables',
  'template',
  'userIdentifier',
  'sendFromEmailAddress',
  'sendFromEmailSenderName',
  'replyToEmailAddress',
]
/**
 * Members that stand in requests alone, which are erased as a whole; the id is one that nobody reads, and the log has the address of an
 * invitation under another name.
 */
const OF_REQUESTS = ['remark', 'address', 'id', 'receiverUserEmail', 'email', ...OF_MAILS]

/** The first is about its requester, who stays; of the second nobody knows whom it is about while its request is stored. */
const OF_NOBODY_ERASED = ['ACTIVITY_TYPE_RECOVER_USER', 'ACTIVITY_TYPE_OTP_AUTH']

/** How all mails of an organization are to look, whomever they are for. */
const OF_SETTINGS = 'ACTIVITY_TYPE_UPDATE_AUTH_PROXY_CONFIG'

/** Its only texts are signatures, and no canary is one. */
const ONLY_SIGNATURES = createTvcManifestApprovals

const kindOf = ({ member, type }: Canary): Kind => {
  if (REFUSED.includes(type)) return 'refused'
  if (OF_NOBODY_ERASED.includes(type) || type === OF_SETTINGS) return 'of the organization'
  return members.personal.has(member) || OF_REQUESTS.includes(member) ? 'personal' : 'of the organization'
}
const secretsOf = (kind: Kind): readonly Secret[] =>
  story.canaries
    .filter((canary) => kindOf(canary) === kind)
    .map(({ text, member, type }) => secretText(`${member} of ${type} (${text})`, text))

const seen = (secrets: readonly Secret[], places: readonly Place[]): readonly string[] =>
  places.flatMap(({ name, bytes }) => sightings(secrets, name, bytes))
const assertUnseen = (secrets: readonly Secret[], places: readonly Place[]): void =>
  assert.equal(seen(secrets, places), [])

it('tells a history with all endings of activities, and a canary in each text member of each operation', () => {
  const endings = new Set([...story.activities.values()].map((text) => text.split(' ')[1]))
  for (const status of ['COMPLETED', 'CONSENSUS_NEEDED', 'REJECTED', 'FAILED'])
    assert.ok(endings.has(`ACTIVITY_STATUS_${status}`), status)
  assert.ok(story.answers.some(({ status }) => status === 403))
  assert.ok(secretsOf('personal').length > 60)
  for (const { operation } of operationExamples.filter((one) => isOfOneLog(one.operation))) {
    const hasText = textLeavesOf(jsonSchemaOf(operation.codecs.intent)).length > 0
    if (!hasText || !/^(create|update)/.test(operation.path) || operation === ONLY_SIGNATURES) continue
    for (const { type } of operation.versions)
      assert.ok(
        story.canaries.some((canary) => canary.type === type),
        type,
      )
  }
})

it('finds them all before the erasure', () => {
  const found = (name: string): readonly string[] =>
    seen(
      secretsOf('personal'),
      before.filter((one) => one.name === name),
    )
  for (const name of ['an export', 'the files', 'the tables']) {
    const there = found(name).join('\n')
    for (const secret of secretsOf('personal')) assert.ok(there.includes(secret.name), `${secret.name} in ${name}`)
  }
  for (const name of ['the snapshot', 'a replay', 'the answers']) assert.ok(found(name).length > 5, name)
})

it('finds them nowhere when the persons are erased', async () => {
  const asked = story.answers.length
  await story.erase()
  for (const { status, text } of story.answers.slice(asked)) assert.is(status, 200, text)
  assertUnseen(secretsOf('personal'), filesOf(path()))
  assertUnseen(secretsOf('personal'), await placesOf(path(), host, story))
})

it('finds them nowhere after a restart', async () => {
  await host.close()
  assertUnseen(secretsOf('personal'), filesOf(path()))
  await open()
  assertUnseen(secretsOf('personal'), await placesOf(path(), host, story))
})

it('keeps what belongs to the organization, and the other persons', async () => {
  const after = await placesOf(path(), host, story)
  const there = seen(
    secretsOf('of the organization'),
    after.filter(({ name }) => name === 'an export'),
  ).join('\n')
  for (const { name } of secretsOf('of the organization')) assert.ok(there.includes(name), name)
  const users = (await story.askAll(host)).find(({ path: route }) => route === 'query/list_users')?.text ?? ''
  for (const name of ['root', 'second', 'eve']) assert.ok(users.includes(`"userName":"${name}"`), name)
})

it('never finds them in what the server says, in refusals, nor what was refused in the store', () => {
  const lines = [{ name: 'the log', bytes: Buffer.from(said.join('\n')) }]
  assert.ok(said.length > 500)
  for (const text of ['countersign.perform', 'a request was answered', 'countersign_requests_total'])
    assert.ok(
      said.some((line) => line.includes(text)),
      text,
    )
  assertUnseen([...secretsOf('personal'), ...secretsOf('refused')], lines)
  const refusals = story.answers.filter(({ status }) => status >= 400).map(({ text }) => text)
  assert.ok(refusals.length > 5)
  assertUnseen(secretsOf('personal'), [{ name: 'a refusal', bytes: Buffer.from(refusals.join('\n')) }])
  assertUnseen(secretsOf('refused'), before)
})

it.run()
