/* Names and texts of enemies, in every view at 320 pixels, and where one approves. */
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { texts } from '../../../../adapters/console/page/texts.ts'
import { fabricated, filling, HOSTILE, inTheLog, type Told } from './hostile-texts.ts'
import { scene, show, signIn, somebody } from './scene.ts'

const { activity: words } = texts

/** Shows every view, filled with each kind of text. `look` may take pictures of them. Says what was verified. */
export const bearsHostileTexts = async (
  browser: Browser,
  look: (page: Page, name: string) => Promise<unknown> = async () => undefined,
): Promise<string> => {
  const stage = await scene()
  try {
    const bob = await stage.enrol('bob')
    const id = await inTheLog(stage)
    const { page, errors, elsewhere } = await somebody(browser, stage.url, { viewport: { width: 320, height: 640 } })
    const dialogs: string[] = []
    page.on('dialog', (dialog) => void dialogs.push(dialog.message()))
    await signIn(page, stage.url, bob, true)
    const views = ['inbox', 'activities', 'organization', 'webhooks', 'request', 'request/create_user_tag', 'audit']
    const answered = page.waitForResponse(/\/query\/get_activity$/)
    await show(page, stage.url, `activity/${id}`)
    const { activity } = (await (await answered).json()) as { readonly activity: Told } // as it answers
    const faults: object[] = []
    let shown = 0
    const see = async (view: string, kind: string): Promise<void> => {
      await show(page, stage.url, view)
      faults.push(...(await faultsOf(page, `${kind}: ${view.slice(0, 40)}`)))
      await look(page, `${kind}-${view.replaceAll(/\W/g, '-').slice(0, 24)}`)
      shown += 1
    }
    for (const view of [`activity/${id}`, ...views]) await see(view, 'log')
    for (const [kind, text] of Object.entries(HOSTILE)) {
      const waiting = fabricated(activity, text)
      await filling(page, text, waiting)
      await page.reload()
      const given = encodeURIComponent(text.slice(0, 300))
      const addresses = [`activities?type=${given}&status=${given}`, `webhooks/${given}`, `request/${given}`, given]
      for (const view of [
        ...views,
        `activity/${given}`,
        ...addresses,
        'webhooks/x',
        `activity/${activity.organizationId}`,
      ])
        await see(view, kind)
      await see(`activity/${waiting.id}`, kind)
      await approves(page, kind)
      await look(page, `${kind}-refused`)
      faults.push(...(await faultsOf(page, `${kind}: refused`)))
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    assert.equal({ faults, dialogs, errors, elsewhere }, { faults: [], dialogs: [], errors: [], elsewhere: [] })
    return `${shown} views with hostile texts ran nothing, and kept to 320 pixels`
  } finally {
    await stage.close()
  }
}

/** What is wrong with the view, once it is there: it is wider than the screen, has run something, or shows a text out of its place. */
const faultsOf = async (page: Page, what: string): Promise<readonly object[]> => {
  await page.waitForFunction((loading) => !document.body.innerText.includes(loading), texts.loading)
  const found = await page.evaluate(
    (SLACK) => ({
      scrollWidth: document.documentElement.scrollWidth,
      made: document.querySelectorAll('#console :is(img, svg, style, script, iframe)').length,
      ran: 'ran' in globalThis,
      outside: [...document.querySelectorAll('.cards > li, dl, .vote, header')].flatMap((box) => {
        const outer = box.getBoundingClientRect()
        return [...box.querySelectorAll('*')].flatMap((one) => {
          const { width, height, left, right, top, bottom } = one.getBoundingClientRect()
          const isInside =
            left > outer.left - SLACK &&
            right < outer.right + SLACK &&
            top > outer.top - SLACK &&
            bottom < outer.bottom + SLACK
          return width * height === 0 || isInside ? [] : [one.outerHTML.slice(0, 100)]
        })
      }),
    }),
    SLACK,
  )
  const { scrollWidth, made, ran, outside } = found
  return scrollWidth <= 320 && made === 0 && !ran && outside.length === 0 ? [] : [{ what, ...found }]
}

/** Pixels: a glyph of another font may be a little higher than its line. */
const SLACK = 4

/** The button that approves is where one sees it, says what it does, and can be pressed. */
const approves = async (page: Page, kind: string): Promise<void> => {
  const button = page.getByRole('button', { name: words.approve, exact: true, disabled: false })
  await page.getByRole('heading', { name: words.missing }).waitFor()
  await button.scrollIntoViewIfNeeded()
  const seen = await button.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isOnTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
    return { text: element.textContent?.trim(), isOnTop, isInside: left >= 0 && right <= innerWidth }
  })
  assert.equal(seen, { text: words.approve, isOnTop: true, isInside: true }, kind)
  await button.click()
  await page.locator('.vote .error').waitFor()
}
