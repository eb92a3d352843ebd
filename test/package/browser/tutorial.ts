import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { runPage, type InBrowser } from '../../system/docs/shell.ts'
import { says } from './chromium.ts'

const TUTORIAL = 'docs/tutorials/sign-in-page.md'

/** Does what the tutorial on the sign-in page says: its shell starts all programs, and somebody signs up on the page by the code of a mail. */
export const followsTheTutorial = async (browser: Browser): Promise<void> => {
  let visits = 0
  await runPage(TUTORIAL, '', {
    dist: 'dist',
    inBrowser: async (place) => {
      visits += 1
      await signsUp(browser, place)
    },
  })
  assert.is(visits, 1)
}

/** Signs up, and in again; the page shows the same user both times, and after it was loaded anew. */
const signsUp = async (browser: Browser, { printed, shows }: InBrowser): Promise<void> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(/^open (\S+)$/m.exec(printed('page'))?.[1] ?? '')
    await says(page, /^Nobody is signed in/)
    const signedUp = await byCode(page, printed)
    assert.match(signedUp, shows)
    await page.reload()
    assert.is(await says(page, /signed in/i), signedUp)
    assert.is(await byCode(page, printed), signedUp)
  } finally {
    await context.close()
  }
}

/** Types what the page asks for: an address, and the code of the newest mail. */
const byCode = async (page: Page, printed: InBrowser['printed']): Promise<string> => {
  await page.fill('[name=contact]', 'ada@shop.example')
  await page.click('#email button')
  assert.is(await says(page, /code/), 'A code is on its way.')
  const code = printed()
    .match(/^\d{6}$/gm)
    ?.at(-1)
  assert.ok(code, 'there is no mail with a code')
  await page.fill('[name=code]', code)
  await page.click('#code button')
  return says(page, /^(Signed|Not signed) in/)
}
