import { useState } from 'preact/hooks'
import { isUuid } from '../../../../core/codec/codec.ts'
import { useDoing } from '../doing.ts'
import { html, type Shown } from '../html.ts'
import { Problem } from '../parts.ts'
import { usePolled } from '../polled.ts'
import type { Server } from '../server/server.ts'
import { texts } from '../texts.ts'
import { hasPasskeys } from '../who/passkey.ts'
import { signInWithFile, signInWithPasskey, type Session } from '../who/session.ts'

type Props = { readonly server: Server; readonly onSignedIn: (session: Session) => void }

/** Signs in, with a key or with a passkey; says what such a page cannot know. */
export const SignIn = (props: Props): Shown => {
  const [isKept, setKept] = useState(false)
  const begins = usePolled(`offers of ${props.server.url}`, undefined, props.server.offers).value?.has('stamp_login')
  return html`<div class="sign-in">
    <p class="choice">
      <input
        id="keep"
        type="checkbox"
        checked=${isKept}
        aria-describedby="keep-hint"
        onChange=${() => setKept(!isKept)}
      />
      <label for="keep">${texts.signIn.keep}</label>
    </p>
    <p class="hint" id="keep-hint">${texts.signIn.keepHint}</p>
    <${WithFile} ...${props} isKept=${isKept} />
    ${hasPasskeys() && begins === true && html`<${WithPasskey} ...${props} isKept=${isKept} />`}
    ${hasPasskeys() && begins === false && html`<p>${texts.signIn.passkeyVotesOnly}</p>`}
    <p class="trust">${texts.trust}</p>
  </div>`
}

type Method = Props & { readonly isKept: boolean }

const WithFile = ({ server, onSignedIn, isKept }: Method): Shown => {
  const [text, setText] = useState('')
  const { isBusy, error, start } = useDoing()
  const signIn = async (given: string): Promise<void> => {
    const session = await signInWithFile(server, given, isKept)
    setText('') // the page has the key, and needs the text no more
    onSignedIn(session)
  }
  const take = (file: File | undefined): void => {
    if (file !== undefined) start(async () => signIn(await file.slice(0, FILE_BYTES_MAX).text()))
  }
  return html`<form
    onSubmit=${(event: Event) => {
      event.preventDefault()
      start(() => signIn(text))
    }}
    onDragOver=${(event: Event) => event.preventDefault()}
    onDrop=${(event: DragEvent) => {
      event.preventDefault()
      take(event.dataTransfer?.files[0])
    }}
  >
    <label for="file">${texts.signIn.file}</label>
    <textarea
      id="file"
      rows="5"
      spellcheck="false"
      autocomplete="off"
      aria-describedby="file-hint file-error"
      value=${text}
      onInput=${({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}
    />
    <p class="hint" id="file-hint">${texts.signIn.fileHint}</p>
    <p>
      <label for="chosen">${texts.signIn.choose}</label>
      <input
        id="chosen"
        type="file"
        accept=".json,application/json"
        onChange=${({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
          take(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
    </p>
    <div id="file-error"><${Problem} error=${error} /></div>
    <button type="submit" aria-disabled=${isBusy}>${isBusy ? texts.signIn.working : texts.signIn.withFile}</button>
  </form>`
}

/** A credentials file has some hundred bytes. */
const FILE_BYTES_MAX = 64 * 1024

const WithPasskey = ({ server, onSignedIn, isKept }: Method): Shown => {
  const [organizationId, setOrganizationId] = useState('')
  const { isBusy, error, start } = useDoing()
  const signIn = async (): Promise<void> => {
    const id = organizationId.trim().toLowerCase()
    if (!isUuid(id)) throw new Error(texts.signIn.noOrganizationId)
    onSignedIn(await signInWithPasskey(server, id, isKept))
  }
  return html`<form
    onSubmit=${(event: Event) => {
      event.preventDefault()
      start(signIn)
    }}
  >
    <h2>${texts.signIn.passkeyHeading}</h2>
    <label for="organization">${texts.signIn.organization}</label>
    <input
      id="organization"
      type="text"
      spellcheck="false"
      autocomplete="off"
      aria-describedby="passkey-hint passkey-error"
      value=${organizationId}
      onInput=${({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setOrganizationId(currentTarget.value)}
    />
    <p class="hint" id="passkey-hint">${texts.signIn.passkeyHint}</p>
    <div id="passkey-error"><${Problem} error=${error} /></div>
    <button type="submit" aria-disabled=${isBusy}>${isBusy ? texts.signIn.working : texts.signIn.withPasskey}</button>
  </form>`
}
