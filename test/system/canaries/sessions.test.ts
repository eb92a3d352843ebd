import { generateP256KeyPair } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { E, TE } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { run } from '../../adapters/cli/run-cli.ts'
import type { Person } from '../../core/world/world.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { filesOf, placesOf, type Place } from './erased/places.ts'
import { openHousehold, type Household } from './keys/household.ts'
import { knownKeys } from './keys/known-keys.ts'
import { secretText, sightings, type Secret } from './secret.ts'

const it = suite('canaries of sessions')

const keys = knownKeys('canaries of sessions')
const said: string[] = []

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let home: Household
let ada: Person
/** What ada has got: texts that the log keeps with her, and the one that it does not show. */
let session: Secret
let kept: readonly Secret[]
/** How many answers there were when she had got it. */
let answered: number
const path = (): string => `${folder.path}/sessions.db`

const textIn = ({ result }: ActivityView, member: string): string =>
  String((Object.values(result)[0] as { readonly [member: string]: unknown })[member]) // as the wire says

it.before(async () => {
  folder = await temporaryFolder()
  const keystore = keystoreOf(TE.right([newKey()]))
  home = await openHousehold({ path: path(), keystore, say: (text) => void said.push(text), random: keys.random })
  ada = await home.enrol('ada')
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  const token = textIn(await home.done(ada, 'stamp_login', { publicKey }), 'session')
  const targetPublicKey = generateP256KeyPair().publicKey
  const issued = await home.done(ada, 'create_read_write_session', { targetPublicKey })
  session = secretText('a session', textIn(await home.done(ada, 'create_read_only_session', {}), 'session'))
  kept = [secretText('a token', token), secretText('a bundle', textIn(issued, 'credentialBundle'))]
  answered = home.answers.length
})
it.after(async () => {
  await home.host.close()
  await folder.remove()
})

const placesNow = async (): Promise<readonly Place[]> => {
  const { organizationId, root } = home
  const log = await home.host.storage.store.readLog(organizationId, 0n, 10_000)()
  const activities = new Map(E.isRight(log) ? log.right.map(({ activity }) => [activity, '']) : [])
  const askAll = async () => {
    await home.ask(root, 'list_activities')
    await home.ask(root, 'get_api_keys', { userId: ada.userId })
    for (const activityId of activities.keys()) await home.ask(root, 'get_activity', { activityId })
    return home.answers.slice(answered).map((text) => ({ path: '', status: 200, text }))
  }
  return placesOf(path(), home.host, { organizationId, activities, askAll })
}
const seen = (secrets: readonly Secret[], places: readonly Place[]): readonly string[] =>
  places.flatMap(({ name, bytes }) => sightings(secrets, name, bytes))

it('find no private half, no read-only session and no secret: in the log, the files, answers, and what the server says', async () => {
  const secrets = [session, ...keys.secrets([])]
  assert.ok(secrets.length > 10)
  const places = [...(await placesNow()), { name: 'what the server says', bytes: Buffer.from(said.join('\n')) }]
  assert.equal(seen(secrets, places), [])
  assert.equal(seen(keys.secrets([]), [{ name: 'the first answers', bytes: Buffer.from(home.answers.join('\n')) }]), [])
})

it('find tokens and bundles in their part of the log, and in nothing that the server says', async () => {
  const found = seen(kept, await placesNow()).join('\n')
  for (const { name } of kept)
    for (const place of ['an export', 'the files', 'the answers']) assert.match(found, `${name} stands in ${place}`)
  assert.equal(sightings(kept, 'what the server says', said.join('\n')), [])
})

it('find nothing of somebody who was erased, and audits hold', async () => {
  await home.done(home.root, 'delete_users', { userIds: [ada.userId] })
  await home.done(home.root, 'erase_user', { userId: ada.userId })
  answered = home.answers.length
  assert.equal(seen([session, ...kept], await placesNow()), [])
  await home.host.close()
  assert.equal(seen([session, ...kept], filesOf(path())), [])
  const { code, stdout, stderr } = await run(['audit', '--store', `sqlite:${path()}`], { cwd: folder.path })
  assert.is(code, 0, `${stdout}${stderr}`)
})

it.run()
