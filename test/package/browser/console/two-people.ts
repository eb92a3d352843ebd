/* Two people use the console: one with a pasted key asks, one with a passkey approves, and the server dies in between. */
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { registerPasskeyOf } from './register-passkey.ts'
import { scene, show, signIn, somebody, type Scene } from './scene.ts'

export const twoPeople = async (browser: Browser): Promise<string> => {
  const w = await scene()
  try {
    const [adasFile, gracesFile] = [await w.enrol('Ada'), await w.enrol('Grace')]
    await w.submit('create_policy', {
      policyName: 'two people',
      effect: 'EFFECT_ALLOW',
      condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    })
    const [ada, grace] = [await somebody(browser, w.url), await somebody(browser, w.url)]
    await signIn(ada.page, w.url, adasFile)
    const registeredAt = await registerPasskeyOf(grace.page, w.url, gracesFile)
    await signInByPasskey(grace.page, w)
    await asks(grace.page, w.url, 'treasury')
    await approves(ada.page, w.url)

    await asks(ada.page, w.url, 'payroll')
    await grace.page.getByRole('link', { name: 'Inbox' }).click()
    await grace.page.getByRole('link', { name: 'Create user tag' }).waitFor()
    await w.kill()
    await grace.page.getByText('The server does not answer').waitFor()
    await w.start()
    await grace.page.getByText('The server does not answer').waitFor({ state: 'detached' })
    await grace.page.getByRole('link', { name: 'Create user tag' }).click()
    await grace.page.getByRole('button', { name: 'Approve with a passkey' }).click()
    await grace.page.getByText('Your vote was taken: it is completed.').waitFor()
    // Without a word of hers, the page of the one who asked shows it.
    await ada.page.getByText('is completed').first().waitFor()
    assert.is(await ada.page.getByText('stamp verified by this page').count(), 2)
    const { userTags } = (await w.query('list_user_tags')) as { userTags: readonly { readonly tagName: string }[] } // as the wire has it
    assert.equal(userTags.map(({ tagName }) => tagName).toSorted(), ['payroll', 'treasury'])
    const elsewhere = [...ada.elsewhere, ...grace.elsewhere].filter((one) => !one.startsWith(registeredAt))
    assert.equal([elsewhere, ada.errors, grace.errors], [[], [], []])
    for (const { page } of [ada, grace]) await page.context().close()
    return 'two people asked and approved in the console, by a key and by a passkey, while the server died'
  } finally {
    await w.close()
  }
}

const signInByPasskey = async (page: Page, { url, organizationId }: Scene): Promise<void> => {
  await page.goto(`${url}/console`)
  await page.getByLabel('Organization id').fill(organizationId)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('Session until').waitFor()
}

/** Makes a request in the form, and stays at its activity. */
const asks = async (page: Page, url: string, tag: string): Promise<void> => {
  await show(page, url, 'request')
  await page.getByRole('link', { name: 'Create user tag' }).click()
  await page.getByLabel('User tag name').fill(tag)
  await page.getByRole('button', { name: 'Show the request' }).click()
  assert.match(await page.locator('#request-body').innerText(), new RegExp(`"userTagName": "${tag}"`))
  await page.getByRole('button', { name: 'Stamp and send' }).click()
  await page.getByRole('link', { name: 'Look at the activity' }).click()
  await page.getByText('waits for approvals').waitFor()
}

const approves = async (page: Page, url: string): Promise<void> => {
  await show(page, url, 'inbox')
  await page.getByRole('link', { name: 'Create user tag' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Your vote was taken: it is completed.').waitFor()
}
