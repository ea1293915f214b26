import evergreen.Sym;

/** Drives {@link Account}: the limit is never exceeded. */
public class AccountDriver {
    public static void operations3() {
        int overdraft = Sym.anInt("overdraft", 0, 1000000);
        Account account = new Account(overdraft);
        for (int i = 1; i <= 3; i++) {
            int amount = Sym.anInt("amount" + i, 1, 1000000);
            if (Sym.aBoolean("deposit" + i)) {
                account.deposit(amount);
            } else {
                account.withdraw(amount);
            }
            Sym.check(account.balance() >= -overdraft, "the limit holds");
        }
    }

    /** A deposit and its withdrawal leave nothing, or the amount was refused. */
    public static int roundTrip(int amount) {
        Account account = new Account(0);
        account.deposit(amount);
        account.withdraw(amount);
        return account.balance();
    }
}
