// Browsers start no workers from file:// addresses, and the search of this site runs in one. Here a hidden frame does
// the same: the worker's script runs in it, and messages go to and fro as between a page and a worker.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) =>
        setTimeout(() => this.deliver(new MessageEvent("message", { data: structuredClone(data) })));
      const script = this.inside.document.createElement("script");
      this.ready = new Promise((loaded, failed) => {
        script.onload = loaded;
        script.onerror = failed;
      });
      this.ready.catch(() => this.deliver(new ErrorEvent("error", { message: `${address} could not be read` })));
      script.src = new URL(address, location.href).href;
      this.inside.document.body.append(script);
      this.terminate = () => frame.remove();
    }

    deliver(event) {
      this.dispatchEvent(event);
      this[`on${event.type}`]?.(event);
    }

    postMessage(data) {
      const event = new this.inside.MessageEvent("message", { data: structuredClone(data) });
      this.ready.then(() => this.inside.dispatchEvent(event));
    }
  };
}
