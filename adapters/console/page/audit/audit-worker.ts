self.addEventListener('message', () => undefined)
