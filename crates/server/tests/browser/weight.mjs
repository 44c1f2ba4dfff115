// Measures the first visit: the transferred bytes of each resource as the browser counts them, and the time until the
// page is interactive.
import { drive, link } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  const network = await page.context().newCDPSession(page);
  const loaded = new Map();
  await network.send("Network.enable");
  network.on("Network.responseReceived", ({ requestId, type, response }) => {
    const encoding = new Headers(response.headers).get("content-encoding");
    loaded.set(requestId, { url: new URL(response.url).pathname, type, encoding });
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (loaded.has(requestId)) loaded.get(requestId).bytes = encodedDataLength;
  });
  await page.goto(link);
  await page.getByLabel("Paste a curl command").fill("curl");
  const interactiveMs = Math.round(await page.evaluate(() => performance.now()));
  const resources = [...loaded.values()].filter(({ bytes }) => bytes !== undefined);
  return { resources, interactiveMs };
});
