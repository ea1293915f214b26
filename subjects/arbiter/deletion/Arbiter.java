/** As v0, but nobody's resource is taken away. */
public class Arbiter {
    static final int USERS = 3;
    static final int RESOURCES = 2;

    static final int IDLE = 0;
    static final int PENDING = 1;
    static final int GRANTED = 2;
    static final int REVOKING = 3;

    static final int REQUEST = 0;
    static final int CANCEL = 1;
    static final int RELEASE = 2;

    private static final int NOBODY = -1;

    private final int[] state = new int[USERS];
    private final int[] wanted = new int[USERS];
    private final int[] holder = {NOBODY, NOBODY};
    private final int[] heir = {NOBODY, NOBODY};

    /** One event of one user; false if it makes no sense in the user's state. */
    public boolean event(int user, int kind, int resource) {
        if (user < 0 || user >= USERS || resource < 0 || resource >= RESOURCES) {
            return false;
        }
        switch (kind) {
            case REQUEST:
                return request(user, resource);
            case CANCEL:
                return cancel(user);
            case RELEASE:
                return release(user);
            default:
                return false;
        }
    }

    private boolean request(int user, int resource) {
        if (state[user] != IDLE) {
            return false;
        }
        wanted[user] = resource;
        int now = holder[resource];
        if (now == NOBODY) {
            grant(user, resource);
        } else {
            state[user] = PENDING;
        }
        return true;
    }

    private boolean cancel(int user) {
        if (state[user] != PENDING) {
            return false;
        }
        state[user] = IDLE;
        int resource = wanted[user];
        if (heir[resource] == user) {
            heir[resource] = NOBODY;
            state[holder[resource]] = GRANTED;
        }
        return true;
    }

    private boolean release(int user) {
        if (state[user] != GRANTED && state[user] != REVOKING) {
            return false;
        }
        int resource = wanted[user];
        state[user] = IDLE;
        holder[resource] = NOBODY;
        int next = heir[resource] != NOBODY ? heir[resource] : firstPending(resource);
        heir[resource] = NOBODY;
        if (next != NOBODY) {
            grant(next, resource);
        }
        return true;
    }

    private void grant(int user, int resource) {
        holder[resource] = user;
        state[user] = GRANTED;
    }

    private int firstPending(int resource) {
        for (int user = 0; user < USERS; user++) {
            if (state[user] == PENDING && wanted[user] == resource) {
                return user;
            }
        }
        return NOBODY;
    }

    /** User 0 is the most important. */
    private static boolean outranks(int user, int other) {
        return user < other;
    }

    /** Whether holders and states agree, and nobody waits for a free resource. */
    public boolean isConsistent() {
        for (int resource = 0; resource < RESOURCES; resource++) {
            int now = holder[resource];
            if (now == NOBODY) {
                if (heir[resource] != NOBODY || firstPending(resource) != NOBODY) {
                    return false;
                }
            } else if (wanted[now] != resource || (state[now] != GRANTED && state[now] != REVOKING)) {
                return false;
            } else if ((state[now] == REVOKING) != (heir[resource] != NOBODY)) {
                return false;
            }
        }
        return true;
    }
}
