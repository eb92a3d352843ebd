import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { scene, somebody } from './scene.ts'
import { stopsIn } from './stops.ts'

const WIDTHS = [1000, 320]
const SCHEMES = ['light', 'dark'] as const

/** Shows each view of the console to axe: wide and narrow, light and dark. Says what was verified. */
export const showsEachViewToAxe = async (browser: Browser): Promise<string> => {
  const there = await scene()
  try {
    const { page, elsewhere, errors } = await somebody(browser, there.url)
    const stops = await stopsIn(there)
    for (const { name, go } of stops) {
      await go(page)
      for (const width of WIDTHS)
        for (const colorScheme of SCHEMES) await looksRight(page, name, { width, colorScheme })
    }
    assert.equal([elsewhere, errors], [[], []])
    await page.context().close()
    return `axe found nothing in ${stops.length} views, wide and narrow, light and dark`
  } finally {
    await there.close()
  }
}

type Look = { readonly width: number; readonly colorScheme: (typeof SCHEMES)[number] }

const looksRight = async (page: Page, name: string, { width, colorScheme }: Look): Promise<void> => {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
  const where = `${name}, ${width} px, ${colorScheme}`
  assert.equal(await foundBy(page), [], where)
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), width, where)
  assert.is(await page.locator('h1').count(), 1, where)
}

/** What axe finds, of whatever weight. A script tag would be blocked by the policy of the page. */
const foundBy = async (page: Page): Promise<unknown> => {
  await page.evaluate(axe.source)
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`)
}
