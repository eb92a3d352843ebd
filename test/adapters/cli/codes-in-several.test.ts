import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { until } from '../../until.ts'
import { mailServer } from '../mail/mail-server.ts'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { rootClient, type Answered, type RootClient } from './root-client.ts'
import { folder, run, serve, type Served } from './run-cli.ts'

const it = suite('codes of two servers on one PostgreSQL store')

const GUESSES = 2_000
/** How many requests are under way at once, over both servers. */
const AT_ONCE = 512
const WINDOW_MS = 180_000

const cwd = folder()

await onPostgres(it, ({ urlOf, run: sql }) => {
  const schema = `codes_${randomBytes(6).toString('hex')}`
  const env = { COUNTERSIGN_STORE: urlOf({ search: `schema=${schema}` }) }
  let servers: readonly Served[] = []
  let client: RootClient
  let post: Awaited<ReturnType<typeof mailServer>>
  let persons = 0

  it.before(async () => {
    post = await mailServer()
    assert.is((await run(['keystore', 'create', 'keystore'], { cwd })).code, 0)
    const mail = ['--mail', post.url, '--mail-from', 'office@example.com']
    const flags = ['--init', '--credentials', 'c.json', '--keystore', 'file:keystore', ...mail]
    servers = await Promise.all([serve(flags, { cwd, env }), serve(flags, { cwd, env })])
    client = await rootClient(join(cwd, 'c.json'))
  })
  it.after(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
    await post.close()
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })

  /** Sends a request to one of the servers: again where the connection was closed meanwhile, since the same bytes are the same request. */
  const to = async (n: number, path: string, parameters: Json, version?: string): Promise<Answered> => {
    const { send } = client.stamped(path, parameters, version)
    return until(() => send(servers[n % servers.length]?.url).catch(() => undefined))
  }
  const saidBy = ({ status, body }: Answered): string => `${status} ${String(body['message'])}`
  const resultOf = <A>({ body }: Answered): A =>
    Object.values((body['activity'] as { readonly result: { readonly [name: string]: A } }).result)[0] as A
  const somebody = (): string => `ada${(persons += 1)}@example.com`
  const code = { otpType: 'OTP_TYPE_EMAIL', appName: 'a', alphanumeric: false, otpLength: 6 }
  const codeTo = (contact: string): string => {
    const mail = post.arrived.findLast((one) => one.to.includes(contact))
    return /^[0-9]{6}$/m.exec(mail?.mail.text ?? '')?.[0] ?? 'no code'
  }
  const sent = async (contact: string) => {
    const answered = await to(0, 'init_otp', { ...code, contact }, '_V2')
    return { otpId: resultOf<{ readonly otpId: string }>(answered).otpId, otpCode: codeTo(contact) }
  }
  const taken = async (): Promise<number> => {
    const rows = await sql(
      `SELECT 1 FROM "${schema}".sealed WHERE organization LIKE 'taken.%'::bytea AND bytes IS NOT NULL`,
    )
    return rows.length
  }
  /** So many requests, a number of them at once. */
  const crowd = async (count: number, one: (n: number) => Promise<Answered>): Promise<readonly Answered[]> => {
    const answers: Answered[] = []
    let next = 0
    const worker = async (): Promise<void> => {
      for (let n = (next += 1) - 1; n < count; n = (next += 1) - 1) answers.push(await one(n))
    }
    await Promise.all(Array.from({ length: Math.min(count, AT_ONCE) }, worker))
    return answers
  }

  it('go to a contact three times in three minutes, whichever server is asked', async () => {
    for (let isSameWindow = false; !isSameWindow;) {
      const contact = somebody()
      const windowNow = () => Math.floor(Date.now() / WINDOW_MS)
      const window = windowNow()
      const answers = await crowd(8, (n) => to(n, 'init_otp', { ...code, contact }, '_V2'))
      isSameWindow = windowNow() === window
      if (!isSameWindow) continue
      assert.is(answers.filter(({ status }) => status === 200).length, 3)
      for (const answer of answers.filter(({ status }) => status !== 200))
        assert.is(saidBy(answer), '429 Max number of OTPs have been initiated')
      assert.is(post.arrived.filter((mail) => mail.to.includes(contact)).length, 3)
    }
  })

  it('have three of 2,000 guesses compared, between them', async () => {
    const { otpId, otpCode } = await sent(somebody())
    const before = await taken()
    const guesses = Array.from({ length: GUESSES }, (_, n) => String(n).padStart(6, '0'))
    const wrong = guesses.filter((guess) => guess !== otpCode)
    const all = wrong.toSpliced(wrong.length - 100, 0, otpCode)
    const answers = await crowd(all.length, (n) => to(n, 'verify_otp', { otpId, otpCode: all[n] ?? '' }))
    const said = new Set(answers.map(saidBy))
    assert.ok(said.delete('400 Invalid OTP code'))
    for (const one of said) assert.match(one, /^429 too many requests/) // who is not let in is told so
    assert.is((await taken()) - before, 3)
    assert.is(saidBy(await to(1, 'verify_otp', { otpId, otpCode })), '400 Invalid OTP code')
  })

  it('are spent once, and their tokens sign in once, of 64 at both servers', async () => {
    const contact = somebody()
    const apiKeys = [{ apiKeyName: 'key', publicKey: newKey(), curveType: 'API_KEY_CURVE_P256' }]
    const user = { userName: 'ada', userEmail: contact, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
    assert.is((await to(0, 'create_users', { users: [user] }, '_V4')).status, 200)
    const spending = await sent(contact)
    const tokens = (await crowd(64, (n) => to(n, 'verify_otp', spending))).filter(({ status }) => status === 200)
    assert.is(tokens.length, 1)
    const { verificationToken } = resultOf<{ readonly verificationToken: string }>(tokens[0] as Answered)
    const logins = await crowd(64, (n) => to(n, 'otp_login', { verificationToken, publicKey: newKey() }))
    assert.is(logins.filter(({ status }) => status === 200).length, 1)
    const refused = logins.filter(({ status }) => status !== 200).map(saidBy)
    assert.equal(new Set(refused), new Set(['400 the verification token has been used to sign in']))
  })

  it('leave a log in which an audit finds nothing', async () => {
    const { code: ended, stdout } = await run(['audit', '--json'], { cwd, env })
    assert.equal([ended, (JSON.parse(stdout) as { readonly findings: unknown }).findings], [0, []])
  })
})

const newKey = (): string => generateKey('API_KEY_CURVE_P256').publicKey

it.run()
