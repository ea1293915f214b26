/** As v0, with a bug: sums in int overflow, so a large withdrawal from a debt succeeds. */
public class Account {
    static final int FEE = 25;

    private int balance;
    private final int overdraft;
    private boolean frozen;

    public Account(int overdraft) {
        if (overdraft < 0) {
            throw new IllegalArgumentException("the overdraft limit is negative");
        }
        this.overdraft = overdraft;
    }

    public int balance() {
        return balance;
    }

    public boolean isFrozen() {
        return frozen;
    }

    public void deposit(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("the amount is not positive");
        }
        balance += amount;
        if (balance >= 0) {
            frozen = false;
        }
    }

    public boolean withdraw(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("the amount is not positive");
        }
        if (frozen) {
            return false;
        }
        int left = balance - amount;
        if (left < 0) {
            left -= FEE;
        }
        if (left < -overdraft) {
            frozen = true;
            return false;
        }
        balance = left;
        return true;
    }
}
