import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newKey } from '../../../../adapters/keyring/keystore-keys.ts'
import { right } from '../../../../adapters/testing/expect.ts'
import type { Keyring } from '../../../../core/ports/keyring.ts'
import { keyringWithKeys, publishedKeys } from '../../../../core/resources/deployment-key/deployment-keys.ts'
import { keyringOn, keystoreWith, sealedInMemory, withKeyring } from '../../../adapters/keyring/keyring-under-test.ts'

const it = suite('keys of the deployment')

const begun = async (keyring: Keyring) => {
  await right(keyringWithKeys({ keyring }))
  return right(publishedKeys(keyring))
}

it('are the same for processes that make them at once', async () => {
  const sealed = sealedInMemory()
  const keystore = keystoreWith(newKey())
  await withKeyring(keyringOn(sealed, keystore, 'one'), (one) =>
    withKeyring(keyringOn(sealed, keystore, 'two'), async (two) => {
      const [first, second] = await Promise.all([begun(one), begun(two)])
      assert.equal(first, second)
      assert.equal(
        first.map(({ purpose }) => purpose),
        ['signer', 'app-proof', 'session', 'verification', 'oauth2-encryption', 'oidc'],
      )
    }),
  )
})

it.run()
