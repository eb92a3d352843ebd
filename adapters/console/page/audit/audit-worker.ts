self.onmessage = () => undefined
