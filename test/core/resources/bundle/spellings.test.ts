import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../../core/bytes.ts'
import { englishOf, mnemonicOf } from '../../../../core/keys/mnemonic.ts'
import type { MnemonicLanguage } from '../../../../core/keys/mnemonic-parameters.ts'
import { long, sampled } from '../../../long.ts'
import { codeOf, world, type World } from '../../world/world.ts'
import { account, listed, refused } from '../wallet/wallet-world.ts'
import { anyMnemonic, borderClient } from './border.ts'
import { importWallet, keyIn, resultOf, targetFor, walletIn } from './border-world.ts'

const it = suite('how mnemonics, passphrases and keys are written')

const whole = (play: (w: World) => Promise<void>) => async (): Promise<void> => {
  const w = await world()
  await play(w)
  await w.close()
}
const inWorld = (name: string, play: (w: World) => Promise<void>): void => it(name, whole(play))

const exportedText = async (w: World, walletId: string): Promise<string> => {
  const client = borderClient()
  const asked = { walletId, targetPublicKey: client.publicKey }
  return client.text((await resultOf<{ exportBundle: string }>(w, w.root, 'export_wallet', asked)).exportBundle)
}

const words = anyMnemonic()

const ENTROPY = new Uint8Array(16).map((_, index) => 255 - index * 9)
const wordsIn = (language: MnemonicLanguage): string => mnemonicOf({ entropy: ENTROPY, language })

/** The same mnemonic, as clients write it: all of them are one seed. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  Japanese: ['\u3000', ' '].flatMap((space) =>
    (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) =>
      wordsIn('MNEMONIC_LANGUAGE_JAPANESE').normalize(form).replaceAll(' ', space),
    ),
  ),
  Spanish: (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) =>
    wordsIn('MNEMONIC_LANGUAGE_SPANISH').normalize(form),
  ),
  Korean: (['NFC', 'NFKD'] as const).map((form) => wordsIn('MNEMONIC_LANGUAGE_KOREAN').normalize(form)),
  English: [
    wordsIn('MNEMONIC_LANGUAGE_ENGLISH'),
    `  ${wordsIn('MNEMONIC_LANGUAGE_ENGLISH').replaceAll(' ', ' \t ')} `,
    wordsIn('MNEMONIC_LANGUAGE_ENGLISH').replaceAll(' ', '\u00a0'),
    `${wordsIn('MNEMONIC_LANGUAGE_ENGLISH')}\n--PASS--\n`,
  ],
}

const inLanguage = sampled<string>(it, 'English')
for (const [language, [first = '', ...others]] of Object.entries(spellings))
  inLanguage(
    language,
    `a mnemonic is one seed, however it is spelt: ${language}`,
    whole(async (w) => {
      const { walletId } = await importWallet(w, w.root, first)
      for (const other of others) {
        const asked = await walletIn(w.root, await targetFor(w, w.root), other, { walletName: 'again' })
        assert.match(refused(await w.submit(w.root, 'import_wallet', asked))[1] ?? '', walletId)
      }
    }),
  )

const passphrases: Readonly<Record<string, string>> = {
  'one that is composed': 'na\u00efve'.normalize('NFC'),
  'a space at each end': ' open ',
  'a mark of byte order': '\ufeffopen',
  'carriage return and nul': 'a\r\u0000b',
  'the separator, as text': '--PASS--',
  'characters beyond 16 bits': '\u{1f511}',
  'a long one': 'long '.repeat(20_000),
}

long(it)(
  'a passphrase goes out as it came',
  whole(async (w) => {
    for (const [what, passphrase] of Object.entries(passphrases)) {
      const { walletId, addresses } = await importWallet(w, w.root, `${words}\n--PASS--\n${passphrase}`, {
        walletName: what,
        accounts: [account()],
      })
      assert.is(await exportedText(w, walletId), `${words}\n${passphrase}`, what)
      assert.is(addresses.length, 1)
    }
    const decomposed = `${words}\n--PASS--\n${'na\u00efve'.normalize('NFD')}`
    const asked = await walletIn(w.root, await targetFor(w, w.root), decomposed)
    assert.is(codeOf(await w.submit(w.root, 'import_wallet', asked)), 'ALREADY_EXISTS')
  }),
)

inWorld('what looks like a mnemonic and is none is refused', async (w) => {
  const plain = mnemonicOf(englishOf(ENTROPY))
  for (const one of [
    plain.toUpperCase(),
    plain.replaceAll(' ', ','),
    plain.replaceAll(' ', '\u200b'),
    plain.replaceAll(' ', ''),
    `${plain}\r\n`,
    `${plain}\n--pass--\nx`,
    `${plain}\n--PASS--`,
    `--PASS--\n${plain}`,
    `\n--PASS--\n${plain}`,
    `${plain} ${plain}`,
    encodeHex(ENTROPY),
    plain.split(' ').slice(0, 3).join(' '),
    mnemonicOf(englishOf(new Uint8Array(32)))
      .split(' ')
      .slice(0, 23)
      .join(' '),
  ]) {
    const asked = await walletIn(w.root, await targetFor(w, w.root), one)
    assert.is(codeOf(await w.submit(w.root, 'import_wallet', asked)), 'REQUEST_INVALID', one)
  }
  assert.equal(await listed(w, 'list_wallets', 'wallets'), [])
})

inWorld('a key has 32 bytes, and a seed of ed25519 may be any', async (w) => {
  const asked = async (curve: string, plain: Uint8Array, privateKeyName = curve) =>
    codeOf(
      await w.submit(
        w.root,
        'import_private_key',
        await keyIn(w.root, await targetFor(w, w.root, 'key'), plain, { curve, addressFormats: [], privateKeyName }),
      ),
    )
  const seedAndPublic = new Uint8Array(64).fill(5) // the form of Solana, whole
  const big = new Uint8Array(32).fill(255) // above the order of both other groups
  assert.is(await asked('CURVE_ED25519', seedAndPublic), 'REQUEST_INVALID')
  assert.is(await asked('CURVE_SECP256K1', big), 'REQUEST_INVALID')
  assert.is(await asked('CURVE_P256', big), 'REQUEST_INVALID')
  assert.is(await asked('CURVE_ED25519', big), 'no failure')
  assert.is(await asked('CURVE_ED25519', new Uint8Array(32), 'zeros'), 'no failure')
})

it.run()
