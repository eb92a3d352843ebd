import type { Scene } from '../example.ts'

/** Keys that nobody has, as requests name them: in the older form, for good, and for a quarter of an hour. */
export const anyKey = ({ publicKey, text }: Scene) => ({ apiKeyName: text('apiKeyName'), publicKey: publicKey() })
const keyOfToday = (scene: Scene) => ({ ...anyKey(scene), curveType: 'API_KEY_CURVE_P256' })
export const lastingKey = (scene: Scene) => ({ ...keyOfToday(scene), expirationSeconds: undefined })
export const shortKey = (scene: Scene) => ({ ...keyOfToday(scene), expirationSeconds: '900' })
