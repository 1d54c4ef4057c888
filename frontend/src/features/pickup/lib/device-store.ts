import type { CheckIn, StoredDay } from "../types";

/**
 * What this device stores for pickup without a connection: the day's list and the check-ins that
 * wait. In IndexedDB, https://developer.mozilla.org/en-US/docs/Web/API/IndexedDB_API; where a
 * browser has none or refuses it, in memory until the page is closed. Signing out clears it.
 */
const NAME = "pickup";
const DAYS = "days";
const CHECK_INS = "check-ins";

export interface DeviceStore {
  day: (restaurant: string) => Promise<StoredDay | undefined>;
  saveDay: (day: StoredDay) => Promise<void>;
  forgetDays: () => Promise<void>;
  checkIns: (restaurant: string) => Promise<CheckIn[]>;
  saveCheckIn: (made: CheckIn) => Promise<void>;
  removeCheckIn: (id: string) => Promise<void>;
}

export async function openStore(): Promise<DeviceStore> {
  try {
    return inDatabase(await openDatabase());
  } catch {
    return inMemory();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(DAYS, { keyPath: "restaurant" });
      opening.result.createObjectStore(CHECK_INS, { keyPath: "id" });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error("blocked"));
  });
}

function inDatabase(database: IDBDatabase): DeviceStore {
  // Another tab that signs out must be able to delete it.
  database.onversionchange = () => database.close();

  /** Runs one request, and resolves once its transaction is on disk. */
  function run<T>(
    store: string,
    mode: IDBTransactionMode,
    ask: (rows: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode);
      const asked = ask(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  return {
    day: (restaurant) =>
      run<StoredDay | undefined>(DAYS, "readonly", (rows) => rows.get(restaurant)),
    saveDay: async (day) => void (await run(DAYS, "readwrite", (rows) => rows.put(day))),
    forgetDays: async () => void (await run(DAYS, "readwrite", (rows) => rows.clear())),
    checkIns: async (restaurant) =>
      ofRestaurant(
        await run<CheckIn[]>(CHECK_INS, "readonly", (rows) => rows.getAll()),
        restaurant,
      ),
    saveCheckIn: async (made) => void (await run(CHECK_INS, "readwrite", (rows) => rows.put(made))),
    removeCheckIn: async (id) =>
      void (await run(CHECK_INS, "readwrite", (rows) => rows.delete(id))),
  };
}

function inMemory(): DeviceStore {
  const days = new Map<string, StoredDay>();
  const checkIns = new Map<string, CheckIn>();
  return {
    day: async (restaurant) => days.get(restaurant),
    saveDay: async (day) => void days.set(day.restaurant, day),
    forgetDays: async () => days.clear(),
    checkIns: async (restaurant) => ofRestaurant([...checkIns.values()], restaurant),
    saveCheckIn: async (made) => void checkIns.set(made.id, made),
    removeCheckIn: async (id) => void checkIns.delete(id),
  };
}

/** In the order in which they were made. */
function ofRestaurant(made: CheckIn[], restaurant: string): CheckIn[] {
  return made
    .filter((each) => each.restaurant === restaurant)
    .sort((a, b) => a.madeAt.localeCompare(b.madeAt));
}
