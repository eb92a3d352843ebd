import { TurnkeySigner } from '@turnkey/ethers'
import { verifyMessage, verifyTypedData } from 'ethers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onStage } from '../conformance/stage.ts'
import { clientsOf, privateKeyWith, walletWith } from './accounts.ts'
import { mail } from './typed-data.ts'

const it = suite('@turnkey/ethers')

it('signs with wallets and private keys what ethers verifies', () =>
  onStage(async (stage) => {
    const { organizationId } = stage
    const address = await walletWith(stage, 'ETHEREUM')
    const key = await privateKeyWith(stage, 'ETHEREUM')
    const { Person, Mail } = mail.types
    const types = { Person: [...Person], Mail: [...Mail] }
    for (const client of clientsOf(stage))
      for (const [signWith, expected] of [
        [address, address],
        [key.privateKeyId, key.address],
      ] as const) {
        const signer = new TurnkeySigner({ client, organizationId, signWith })
        assert.is(await signer.getAddress(), expected)
        for (const message of ['Grüß Gott, 🐮', '', Uint8Array.of(0, 255)])
          assert.is(verifyMessage(message, await signer.signMessage(message)), expected)
        const signature = await signer.signTypedData(mail.domain, types, mail.message)
        assert.is(verifyTypedData(mail.domain, types, mail.message, signature), expected)
      }
  }))

it.run()
