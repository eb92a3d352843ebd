import { render } from 'preact'
import { html } from './html.ts'

const place = document.querySelector('#console')
if (place !== null) render(html`<h1>Countersign</h1>`, place)
