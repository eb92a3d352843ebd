import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser of `CHROMIUM`, or of the path. */
export const browserHere = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const given = process.env['CHROMIUM']
  return (given === undefined ? candidates : [given]).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** A page in a browser of its own, with an authenticator that has no passkeys yet. */
export const pageOfSomebody = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(120_000) // then it hangs
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

/** What the page of examples/sign-in says, once it says such a thing. */
export const says = async (page: Page, words: RegExp): Promise<string> => {
  const said = await page.waitForFunction(`
    (() => {
      const said = document.getElementById('said')?.textContent ?? ''
      return ${words}.test(said) && said
    })()`)
  return String(await said.jsonValue())
}
