/* What the tabs of a browser that speak to one server tell one another: who has signed in, and which key was signed out. No key is told. */

export type Told =
  | { readonly kind: 'in'; readonly publicKey: string; readonly who: string }
  | { readonly kind: 'out'; readonly publicKey: string }

/** Tells the other tabs. */
export const tell = (server: string, told: Told): void => {
  const channel = new BroadcastChannel(nameOf(server))
  channel.postMessage(told)
  channel.close()
}

/** @returns a function that ends it */
export const hear = (server: string, heard: (told: Told) => void): (() => void) => {
  const channel = new BroadcastChannel(nameOf(server))
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => heard(data)) // of this origin, by `tell`
  return () => channel.close()
}

const nameOf = (server: string): string => `countersign ${server}`
