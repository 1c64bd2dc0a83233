// Sends events to a gateway with the official SDK, once in each mode, and prints each answer: ADDRESS SECRET EVENTS.
import { CloudEvent, HTTP } from "cloudevents";

const [address, secret, told] = process.argv.slice(2);
const [first, second, ...rest] = JSON.parse(told).map((each) => new CloudEvent(each));

const batch = {
  headers: { "content-type": "application/cloudevents-batch+json" },
  body: JSON.stringify(rest),
};
for (const { headers, body } of [HTTP.binary(first), HTTP.structured(second), batch]) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${secret}` },
    body,
  });
  console.log(JSON.stringify({ status: answer.status, body: await answer.json() }));
}
