import { expect, it } from 'vitest';
import { suggestServerName } from './server-name';

it.each([
  ['https://api.github.com/users', 'Github'],
  ['https://www.example.co.uk', 'Example'],
  ['http://weather/x', 'Weather'],
  ['http://127.0.0.1:8080/x', 'My API'],
  ['http://localhost:3000', 'My API'],
  ['https://{host}/x', 'My API'],
  ['nonsense', 'My API'],
])('the suggested name for %s is %s', (url, name) => expect(suggestServerName(url)).toBe(name));
