import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { exported } from '../../core/audit/logs.ts'
import { draftsOf } from '../../core/audit/forgery.ts'
import type { Shop } from './shop.ts'

/* Pages of other origins call the proxy. What a browser tells a page depends on it alone, so it has to be a real one. */

const CONTACT = { otpType: 'OTP_TYPE_EMAIL', contact: 'lovelace@example.com' }
const USED = { verificationToken: 'a.b.c', publicKey: generateKey().publicKey }

const signUp = (): Json => {
  const apiKey = { apiKeyName: 'key', publicKey: generateKey().publicKey, curveType: 'API_KEY_CURVE_P256' }
  return { userName: 'lovelace', apiKeys: [apiKey], authenticators: [], oauthProviders: [] }
}

/** One call of each path; those that would send or begin something without a token are whole. */
const calls: readonly (readonly [path: string, body: Json])[] = [
  ['account', { filterType: 'NAME', filterValue: 'Default' }],
  ['otp_init', CONTACT],
  ['otp_init_v2', CONTACT],
  ['otp_verify', { otpId: 'any', otpCode: '000000' }],
  ['otp_verify_v2', { otpId: 'any', encryptedOtpBundle: 'any' }],
  ['otp_login', USED],
  ['otp_login_v2', { ...USED, clientSignature: {} }],
  ['oauth2_authenticate', {}],
  ['oauth_login', { oidcToken: 'a.b.c', publicKey: USED.publicKey }],
  ['signup', signUp()],
  ['signup_v2', signUp()],
  ['wallet_kit_config', {}],
  ['wallet_kit_client_params', {}],
]

/** What a page has learned: of each call what it could read, or the error; and all that the browser has measured. */
type Learned = {
  readonly answers: readonly { readonly status?: number; readonly text?: string; readonly error?: string }[]
  readonly measured: readonly number[]
}

/** Runs in the page. A request of a mode without CORS cannot name the organization: the browser leaves the header out. */
const ASK = `async ({ url, id, calls, mode }) => {
  performance.clearResourceTimings()
  const answers = await Promise.all(calls.map(async ([path, body]) => {
    const headers = { 'Content-Type': 'application/json', 'X-Auth-Proxy-Config-ID': id }
    try {
      const answer = await fetch(url + '/v1/' + path, { method: 'POST', mode, headers, body: JSON.stringify(body) })
      return { status: answer.status, text: await answer.text() }
    } catch (error) {
      return { error: String(error) }
    }
  }))
  const entries = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(url))
  const measured = entries.flatMap((entry) => [entry.responseStatus, entry.transferSize, entry.encodedBodySize])
  return { answers, measured }
}`

const asks = (page: Page | Frame, shop: Shop, id: string, mode = 'cors'): Promise<Learned> =>
  page.evaluate<Learned>(`(${ASK})(${JSON.stringify({ url: shop.proxyUrl, id, calls, mode })})`)

/** @returns how many calls failed */
export const strangersLearnNothing = async (
  shop: Shop,
  browser: Browser,
  [origin = '', ...others]: readonly string[],
): Promise<number> => {
  const { w, arrived, placeFor, requests } = shop
  const { organizationId: id } = await placeFor(origin)
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const log = () => exported(w.storage.store)
  try {
    // Chromium takes a page that no server of this machine has served for one from elsewhere. What protects this machine is not what is tested;
    // an older browser knows neither this protection nor its permission.
    await context.grantPermissions(['local-network-access']).catch(() => undefined)
    const at = pagesIn(context, [origin, ...others])
    const strangers = await Promise.all([
      ...others.map(at), // pages that other organizations let in
      ...strangeOrigins(origin).map(at),
      sandboxIn(await at(origin)),
    ])
    const [before, mails] = [await log(), arrived.length]
    for (const stranger of strangers) {
      const first = requests.length
      const { answers, measured } = await asks(stranger, shop, id)
      const where = stranger.url()
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))), new Set([FAILED]), where)
      assert.equal(new Set(measured), new Set([0]), where)
      const posts = requests.slice(first).filter(({ method }) => method === 'POST')
      const refused = calls.map(([path]) => `403 /v1/${path}`) // by the proxy: no rule of the browser was in the way
      assert.equal(new Set(posts.map(({ status, path }) => `${status} ${path}`)), new Set(refused), where)

      const opaque = await asks(stranger, shop, id, 'no-cors')
      assert.equal(new Set(opaque.answers.map((answer) => JSON.stringify(answer))), new Set([OPAQUE]), where)
    }
    assert.is(await log(), before)
    assert.is(arrived.length, mails)
    await reads(await at(origin), shop, id)
    assert.ok(draftsOf(await log()).length > draftsOf(before).length)
    return strangers.length * calls.length
  } finally {
    await context.close()
  }
}

const FAILED = JSON.stringify({ error: 'TypeError: Failed to fetch' })
const OPAQUE = JSON.stringify({ status: 0, text: '' })

/** Another host, a host below, another spelling of the host, and another scheme; the port is the same. */
const strangeOrigins = (origin: string): readonly string[] => {
  const { port } = new URL(origin)
  const hosts = ['http://127.0.0.1', 'http://shop.localhost', 'http://localhost.', 'https://localhost']
  return hosts.map((host) => `${host}:${port}`)
}

const pagesIn =
  (context: BrowserContext, served: readonly string[]) =>
  async (origin: string): Promise<Page> => {
    const page = await context.newPage()
    if (!served.includes(origin))
      await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.goto(origin)
    await page.unrouteAll() // else no preflight would leave the browser
    assert.is(await page.evaluate('origin'), origin)
    return page
  }

/** A frame without an origin inside of the page that is let in. */
const sandboxIn = async (page: Page): Promise<Frame> => {
  await page.evaluate(`
    new Promise((loaded) => {
      const frame = document.createElement('iframe')
      frame.sandbox = 'allow-scripts'
      frame.srcdoc = '<!doctype html>'
      frame.onload = loaded
      document.body.append(frame)
    }).then(() => undefined)`)
  const frame = page.frames().find((one) => one.parentFrame() !== null)
  if (frame === undefined) throw new Error('expected a frame')
  assert.is(await frame.evaluate('origin'), 'null')
  return frame
}

/** The same calls from the page that is let in: it reads each answer, and what they ask for is done. */
const reads = async (page: Page, shop: Shop, id: string): Promise<void> => {
  const mails = shop.arrived.length
  const { answers, measured } = await asks(page, shop, id)
  const statuses = new Map(answers.map(({ status }, index) => [calls[index]?.[0], status]))
  for (const path of ['account', 'otp_init', 'otp_init_v2', 'signup', 'signup_v2', 'wallet_kit_config'])
    assert.is(statuses.get(path), 200, path)
  assert.ok(answers.every(({ status = 0, text = '' }) => status >= 200 && JSON.parse(text) !== null))
  assert.ok(measured.some((value) => value === 200))
  assert.is(shop.arrived.length, mails + 2)
}
