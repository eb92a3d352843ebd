/**
 * Runs the code of docs/how-to/sign-with-a-passkey.md in Chromium with a virtual authenticator: `npm run check:browser`. A page from
 * `http://localhost` registers a passkey, and stamps a submit, a query and approvals with it, one of them as a second factor. Another passkey
 * signs in by `@turnkey/core`, somebody who has lost theirs makes a new one by mail, and somebody without one signs in by a code and at an
 * identity provider. On the page of examples/sign-in, people sign up and in through the auth proxy, with each of the clients. Without a
 * browser, all is left out, and said. The console is used in it as well.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { chromium, type Browser, type Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { httpServer } from '../../../adapters/http/index.ts'
import { identityTokens } from '../../../adapters/identity-tokens/index.ts'
import { smtpMailer } from '../../../adapters/mail/index.ts'
import type { Json } from '../../../core/failure.ts'
import { draftsOf } from '../../core/audit/forgery.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { mailServer } from '../../adapters/mail/mail-server.ts'
import { blocksOf, pageOf } from '../../system/docs/markdown.ts'
import { right, type Person, type World } from '../../core/world/world.ts'
import { family } from '../../core/resources/sub-organization/children.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { identityProvider, type IdentityProvider } from '../../system/conformance/identity-provider.ts'
import { call } from './call.ts'
import { browserHere, pageOfSomebody } from './chromium.ts'
import { auditsOffline } from './console/audits-offline.ts'
import { bearsHostileTexts } from './console/hostile.ts'
import { usesTheKeyboard } from './console/keyboard.ts'
import { seesLies } from './console/lies.ts'
import { keepsKeys } from './console/tabs.ts'
import { twoPeople } from './console/two-people.ts'
import { showsEachViewToAxe } from './console/views.ts'
import { PROVE, proves } from './prove.ts'
import { RECOVER, recovers } from './recover.ts'
import { runningClock } from './running-clock.ts'
import { SIGN_IN, signsIn } from './sign-in.ts'
import { signsUp } from './sign-up.ts'
import { followsTheTutorial } from './tutorial.ts'

const PAGE = 'docs/how-to/sign-with-a-passkey.md'

/** The code of the how-to as one script, which puts its functions into `page`. */
const bundled = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-browser-'))
  try {
    for (const { code } of blocksOf(pageOf(PAGE))) {
      const [, name] = /^\/\/ (\S+\.js)\n/.exec(code) ?? []
      if (name !== undefined) writeFileSync(join(folder, name), code)
    }
    writeFileSync(join(folder, 'sign-in.js'), SIGN_IN)
    writeFileSync(join(folder, 'recover.js'), RECOVER)
    writeFileSync(join(folder, 'prove.js'), PROVE)
    const contents = `
      import { registerPasskey } from './register.js'
      import { approve, createTag, whoami } from './sign.js'
      import { ApiKeyStamper } from '@turnkey/api-key-stamper'
      const register = (about, key) => registerPasskey(about, new ApiKeyStamper(key))
      import { renew, signIn } from './sign-in.js'
      import * as recovering from './recover.js'
      import * as proving from './prove.js'
      globalThis.page = { register, approve, createTag, whoami, renew, signIn, ...recovering, ...proving }`
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      nodePaths: [resolve('node_modules')],
      platform: 'browser',
      bundle: true,
      write: false,
      logLevel: 'error',
    })
    return outputFiles.map(({ text }) => text).join('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Serves the script from an origin of its own. */
const served = async (script: string): Promise<{ readonly origin: string; readonly close: () => void }> => {
  const server = createServer(({ url }, response) => {
    if (url === '/page.js') response.setHeader('Content-Type', 'text/javascript').end(script)
    else response.setHeader('Content-Type', 'text/html').end('<!doctype html><script src="/page.js"></script>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    origin: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const signs = async (w: World, url: string, origin: string, page: Page): Promise<void> => {
  const { approve, done, enrol, organizationId, root } = w
  const ada = await enrol('ada')
  const about = { url, organizationId, userId: ada.userId, rpId: 'localhost', userName: 'ada' }
  await page.goto(origin)
  const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = ada.key
  const registered = await call(page, 'register', about, { apiPublicKey, apiPrivateKey })
  assert.is(registered.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const feature = (value: string) => ({ name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value })
  await done(root, 'set_organization_feature', feature(origin))
  assert.is((await call(page, 'whoami', about)).userId, ada.userId)
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  const asked = await call(page, 'createTag', about, 'by a browser')
  assert.is(asked.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const open = await done(root, 'create_user_tag', { userTagName: 'approved by a browser', userIds: [] })
  const approved = await call(page, 'approve', about, open.fingerprint)
  assert.equal([approved.activity.id, approved.activity.status], [open.id, 'ACTIVITY_STATUS_COMPLETED'])
  const other = await done(root, 'set_organization_feature', feature('https://elsewhere.example'))
  await call(page, 'approve', about, other.fingerprint)
  const refused = await call(page, 'whoami', about).then(() => 'it was taken', String)
  assert.match(refused, /SIGNATURE_INVALID/)
  right(await approve(ada, await done(root, 'set_organization_feature', feature(origin))))
  await givesFactor(w, ada, page, about)
}

/** What a user proposes with a key waits until the same user's passkey approves it: the second factor, and no second person. */
const givesFactor = async ({ approve, done, root }: World, ada: Person, page: Page, about: Json): Promise<void> => {
  right(
    await approve(ada, await done(root, 'update_root_quorum', { threshold: 1, userIds: [root.userId, ada.userId] })),
  )
  await done(root, 'create_mfa_policy', {
    userId: ada.userId,
    mfaPolicyName: 'a key and a passkey',
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    requiredAuthenticationMethods: [
      { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
      { any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] },
    ],
    order: 1,
  })
  const open = await done(ada, 'create_user_tag', { userTagName: 'by a key', userIds: [] })
  assert.is(open.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
  assert.is(right(await approve(ada, open)).status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
  const approved = await call(page, 'approve', about, open.fingerprint)
  assert.equal([approved.activity.id, approved.activity.status], [open.id, 'ACTIVITY_STATUS_COMPLETED'])
}

const main = async (): Promise<void> => {
  const executablePath = browserHere()
  if (executablePath === undefined) {
    console.log(
      'SKIPPED: there is no Chromium here, so no passkey was made in a real browser. Install it, or name one in CHROMIUM.',
    )
    return
  }
  // A container's root may not have the namespaces that the sandbox wants; the page is our own.
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  const provider = await identityProvider()
  try {
    const [, ...verified] = await Promise.all([
      followsTheTutorial(browser),
      signsByPasskeyAndProof(browser, provider),
      signsUp(browser, provider),
      usesTheConsole(browser),
    ])
    console.log(`passed: Chromium ${browser.version()}: ${verified.join('; ')}`)
  } finally {
    await browser.close()
    await provider.close()
  }
}

const CONSOLE = [twoPeople, keepsKeys, seesLies, bearsHostileTexts, usesTheKeyboard, showsEachViewToAxe, auditsOffline]

/** One after the other: each of them keeps a core busy. Says what was verified. */
const usesTheConsole = async (browser: Browser): Promise<string> => {
  const verified: string[] = []
  for (const check of CONSOLE) verified.push(await check(browser))
  return verified.join('; ')
}

/** Plays all who have an organization already. Says what was verified. */
const signsByPasskeyAndProof = async (browser: Browser, provider: IdentityProvider): Promise<string> => {
  const script = await bundled()
  const post = await mailServer()
  const clock = runningClock()
  const mailer = smtpMailer({ url: post.url, from: 'office@example.com', clock })
  const tokens = identityTokens({ allowPrivateNetwork: true })
  const w = await family({ testClock: clock, ports: { mailer, identityTokens: tokens } })
  const server = httpServer(w.engine)
  const { url } = await server.listen()
  const pages = await served(script)
  try {
    const here = url.replace('127.0.0.1', 'localhost')
    for (const plays of [signsIn, recovers(post), signs, proves(post, provider)])
      await plays(w, here, pages.origin, await pageOfSomebody(browser))
    const text = await exported(w.storage.store)
    const { counts, findings } = await audited(text, {}, [eraseUser])
    assert.equal(findings, [])
    const by = (header: string) => draftsOf(text).filter(({ request }) => request?.head.header === header).length
    const [byPasskey, attested] = [by('X-Stamp-WebAuthn'), by('X-Stamp-Attested')]
    assert.equal([byPasskey, attested], [6, 5])
    return `${counts.stamps} stamps, ${byPasskey} of them by a passkey and ${attested} attested, verified by the audit`
  } finally {
    pages.close()
    await server.close()
    await w.close()
    await post.close()
  }
}

await main()
